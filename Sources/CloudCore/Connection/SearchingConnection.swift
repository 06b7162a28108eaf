import FileProviding

/// A connection to a server that keeps an index, so that items that the vault does not know yet are found without
/// listing everything.
public protocol SearchingConnection: Connection {
    /// Returns the vault's paths of the items in the server's index that match a query; `nil` if the index cannot
    /// answer it.
    func indexedPaths(_ query: FileQuery) async throws -> [ItemPath]?
}
