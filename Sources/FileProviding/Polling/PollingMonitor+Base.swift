import Foundation

/// Everything else is the watched provider's own.
extension PollingMonitor {
    /// The watched provider's.
    public var identity: ProviderIdentity { base.identity }
    /// The watched provider's.
    public var context: FileProviderContext { base.context }
    /// The watched provider's.
    public var baseURL: URL? { base.baseURL }
    /// The watched provider's.
    public var credential: Credential? { base.credential }

    /// The watched provider's.
    public func attributesOfItem(path: ItemPath) async throws -> FileObject {
        try await base.attributesOfItem(path: path)
    }

    /// The watched provider's.
    public func listing(path: ItemPath) -> DirectoryListing { base.listing(path: path) }

    /// The watched provider's.
    public func recursiveListing(path: ItemPath) -> DirectoryListing { base.recursiveListing(path: path) }

    /// The watched provider's.
    public func search(path: ItemPath, recursive: Bool, query: FileQuery) -> DirectoryListing {
        base.search(path: path, recursive: recursive, query: query)
    }

    /// The watched provider's.
    public func characteristics(path: ItemPath) async throws -> ProviderCharacteristics {
        try await base.characteristics(path: path)
    }

    /// The watched provider's.
    public func storageProperties(path: ItemPath) async throws -> VolumeObject? {
        try await base.storageProperties(path: path)
    }

    /// The watched provider's.
    public func checkReachable() async throws { try await base.checkReachable() }

    /// The watched provider's.
    public func url(of path: ItemPath) -> URL { base.url(of: path) }

    /// The watched provider's.
    public func relativePathOf(url: URL) -> ItemPath? { base.relativePathOf(url: url) }
}
