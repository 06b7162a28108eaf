import Foundation

/// Everything else is forwarded to the watched provider.
extension PollingMonitor {
    /// The watched provider's identity.
    public var identity: ProviderIdentity { base.identity }
    /// The watched provider's context.
    public var context: FileProviderContext { base.context }
    /// The watched provider's base URL.
    public var baseURL: URL? { base.baseURL }
    /// The watched provider's credential.
    public var credential: Credential? { base.credential }

    /// Forwards to the watched provider.
    public func attributesOfItem(path: ItemPath) async throws -> FileObject {
        try await base.attributesOfItem(path: path)
    }

    /// Forwards to the watched provider.
    public func listing(path: ItemPath) -> DirectoryListing { base.listing(path: path) }

    /// Forwards to the watched provider.
    public func recursiveListing(path: ItemPath) -> DirectoryListing { base.recursiveListing(path: path) }

    /// Forwards to the watched provider.
    public func search(path: ItemPath, recursive: Bool, query: FileQuery) -> DirectoryListing {
        base.search(path: path, recursive: recursive, query: query)
    }

    /// Forwards to the watched provider.
    public func characteristics(path: ItemPath) async throws -> ProviderCharacteristics {
        try await base.characteristics(path: path)
    }

    /// Forwards to the watched provider.
    public func storageProperties(path: ItemPath) async throws -> VolumeObject? {
        try await base.storageProperties(path: path)
    }

    /// Forwards to the watched provider.
    public func checkReachable() async throws { try await base.checkReachable() }

    /// Forwards to the watched provider.
    public func url(of path: ItemPath) -> URL { base.url(of: path) }

    /// Forwards to the watched provider.
    public func relativePathOf(url: URL) -> ItemPath? { base.relativePathOf(url: url) }
}
