import FileProviding
import Foundation

extension MemoryFileProvider: ConfigurableFileProvider {
    /// The store and the page size of a provider.
    public struct Configuration: Codable, Hashable, Sendable {
        /// The store's name, or `nil` for a new store that no other provider shares.
        public var store: ItemName?
        /// The most entries in a page of a listing.
        public var pageSize: Int?

        /// Creates a configuration for this process's store with the given name.
        public init(store: ItemName?, pageSize: Int? = nil) {
            self.store = store
            self.pageSize = pageSize
        }
    }

    /// `mem`.
    public static let schemes = ["mem"]

    /// Parses `mem:NAME/path`, percent-encoded.
    ///
    /// - Throws: `URLError(.badURL)` without a name, or with a host, a query or a fragment.
    public static func configuration(for url: URL) throws -> (configuration: Configuration, path: ItemPath) {
        let parts = URLComponents(url: url, resolvingAgainstBaseURL: true)
        guard let parts, schemes.contains(parts.scheme?.lowercased() ?? ""), parts.host == nil, parts.query == nil,
            parts.fragment == nil, !parts.percentEncodedPath.hasPrefix("/"),
            let whole = try? ItemPath(percentEncoded: parts.percentEncodedPath), let name = whole.components.first,
            let path = whole.relative(to: ItemPath.root.appending(name))
        else { throw urlError(url, code: .badURL, reason: "the form is mem:NAME/path") }
        return (Configuration(store: name), path)
    }

    /// The store's name and the page size.
    public var configuration: Configuration { Configuration(store: store.name, pageSize: pageSize) }

    /// Creates a provider of the store with that name in ``MemoryStoreTable/process``.
    public convenience init(configuration: Configuration, credential: Credential? = nil) throws {
        try self.init(configuration: configuration, stores: .process)
    }

    /// Creates a provider of the store with that name in `stores`.
    ///
    /// - Throws: `CocoaError(.coderInvalidValue)` for a page size below 1.
    public convenience init(configuration: Configuration, stores: MemoryStoreTable) throws {
        let pageSize = configuration.pageSize ?? 1_000
        guard pageSize > 0 else { throw CocoaError(.coderInvalidValue) }
        self.init(store: configuration.store.map(stores.store(named:)) ?? MemoryStore(), pageSize: pageSize)
    }
}
