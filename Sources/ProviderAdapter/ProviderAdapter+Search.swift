import CloudCore
import FileProviding

/// The provider's index, if it has one.
extension ProviderAdapter: SearchingConnection {
    /// Returns what the provider's index finds below the vault's root.
    public func indexedPaths(_ query: FileQuery) async throws -> [ItemPath]? {
        let adapter = asItIs
        let root = adapter.root
        // The provider's paths differ from the vault's.
        guard let provider = adapter.provider as? any IndexedSearchProvider, root.isRoot || !query.keys.contains(.path)
        else {
            return nil
        }
        return try await provider.indexedItems(below: root, query: query)?.compactMap { $0.path.relative(to: root) }
    }
}
