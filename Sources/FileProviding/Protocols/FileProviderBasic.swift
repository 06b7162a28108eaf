import Foundation

/// Storage that can be looked at: the one protocol that every provider conforms to.
///
/// To write a provider, supply the six members without a default; everything a reader of directories needs (sorted and
/// recursive listings, search, callbacks, reachability) is derived from them. Then add the capabilities that your storage
/// has, each a small protocol of its own: ``FileProviderReadWrite``, ``FileProviderOperations``, ``FileProviderMonitor`` …
/// A capability that a type lacks is simply not conformed to; one that only some of its servers lack throws
/// `CocoaError(.featureUnsupported)` before anything is sent.
///
/// Run `ContractCase.all` of `FileProviderTesting` over the result: it checks what this documentation promises.
///
/// Errors are Foundation's: `CocoaError` about files, `URLError` about the way there, ``FileProviderHTTPError`` for a
/// server's refusal, `CancellationError` when the task was cancelled.
public protocol FileProviderBasic: Sendable {
    /// The provider's kind for display and comparison: `"Local"`, `"WebDAV"`.
    static var type: String { get }

    /// Which storage this is.
    var identity: ProviderIdentity { get }

    /// Delegates, queues, logger and registrations of this instance.
    var context: FileProviderContext { get }

    /// One item.
    ///
    /// A symbolic link is described itself, not what it points to.
    ///
    /// - Throws: `CocoaError(.fileReadNoSuchFile)` when there is no such item, nor a directory for it to be in, and for a
    ///   file under a path written with a trailing slash.
    func attributesOfItem(path: ItemPath) async throws -> FileObject

    /// The entries of one directory, without those of its subdirectories.
    ///
    /// Nothing happens before the first page is pulled. Pulling throws `.fileReadNoSuchFile` for a missing directory and
    /// "not a directory" (`POSIXError.ENOTDIR` underlying) for a file.
    func listing(path: ItemPath) -> DirectoryListing

    /// A second provider of the same storage and session with delegates and registrations of its own.
    func copy() -> Self

    // MARK: Requirements with a default

    /// The URL that the root has, or `nil` where items have none.
    var baseURL: URL? { get }

    /// Who is asking, where the storage wants to know. Never shown in descriptions or logs.
    var credential: Credential? { get }

    /// What the storage that holds `path` can do beyond its conformances, found out once and remembered.
    func characteristics(path: ItemPath) async throws -> ProviderCharacteristics

    /// Capacity and name of the storage that holds `path`, or `nil` where it does not tell.
    ///
    /// A provider's tree can span several volumes or quotas; ``storageProperties()`` asks about the root's.
    func storageProperties(path: ItemPath) async throws -> VolumeObject?

    /// Every item below `path`, parents before their children, never the directory itself, never twice; symbolic links are
    /// listed but not followed. The default lists directory by directory.
    ///
    /// A directory below `path` that cannot be listed fails the pull that comes to it, with an error about its path; another
    /// pull goes on behind it, or ends the listing where the storage lists trees at once.
    func recursiveListing(path: ItemPath) -> DirectoryListing

    /// The items in `path`, or anywhere below it, that match `query`; pages arrive as they are found.
    /// The default lists and evaluates the query here. `TRUEPREDICATE` gives the listing itself.
    func search(path: ItemPath, recursive: Bool, query: FileQuery) -> DirectoryListing

    /// Asks whether the storage answers at all; throws why not. Prefer trying the operation itself: an answer may be
    /// outdated at once.
    func checkReachable() async throws

    /// The URL of an item: ``baseURL`` and the percent-encoded path, or without a base the path alone as a relative URL.
    func url(of path: ItemPath) -> URL

    /// The path within this provider that `url` stands for, or `nil` when it lies elsewhere.
    /// Without a base URL, the path of a relative URL.
    func relativePathOf(url: URL) -> ItemPath?
}

extension FileProviderBasic {
    /// No URL.
    public var baseURL: URL? { nil }

    /// Nobody.
    public var credential: Credential? { nil }

    /// Nothing known beyond the conformances.
    public func characteristics(path: ItemPath) async throws -> ProviderCharacteristics { ProviderCharacteristics() }

    /// Not told.
    public func storageProperties(path: ItemPath) async throws -> VolumeObject? { nil }

    /// Capacity and name of the storage that holds the root.
    public func storageProperties() async throws -> VolumeObject? { try await storageProperties(path: .root) }

    /// Lists directory by directory.
    public func recursiveListing(path: ItemPath) -> DirectoryListing { defaultRecursiveListing(path: path) }

    /// Lists and evaluates the query here.
    public func search(path: ItemPath, recursive: Bool, query: FileQuery) -> DirectoryListing {
        defaultSearch(path: path, recursive: recursive, query: query)
    }

    /// Asks for the root's attributes.
    public func checkReachable() async throws { _ = try await attributesOfItem(path: .root) }

    /// Whether the storage answers at all; ``checkReachable()`` says why not.
    public func isReachable() async -> Bool { (try? await checkReachable()) != nil }

    /// Joins ``baseURL`` and the percent-encoded path.
    public func url(of path: ItemPath) -> URL { ProviderURL.url(of: path, base: baseURL) }

    /// Cuts ``baseURL`` off.
    public func relativePathOf(url: URL) -> ItemPath? { ProviderURL.path(of: url, base: baseURL) }
}
