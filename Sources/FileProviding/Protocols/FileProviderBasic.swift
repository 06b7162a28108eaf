import Foundation

/// Storage that can be listed: the one protocol that every provider conforms to.
///
/// To write a provider, supply the six members without a default; everything that a client needs for reading
/// directories (sorted and recursive listings, search, callbacks, reachability) is derived from them. Then add the
/// capabilities that your storage has, each a small protocol of its own: ``FileProviderReadWrite``,
/// ``FileProviderOperations``, ``FileProviderMonitor`` … A type simply does not conform to a capability that it lacks;
/// a capability that only some of its servers lack throws `CocoaError(.featureUnsupported)` before anything is sent.
///
/// Run `ContractCase.all` of `FileProviderTesting` against the result: it checks what this documentation promises.
///
/// Errors are Foundation's: `CocoaError` about files, `URLError` about the connection, ``FileProviderHTTPError`` for a
/// server's refusal, `CancellationError` when the task was cancelled.
public protocol FileProviderBasic: Sendable {
    /// The provider's kind for display and comparison: `"Local"`, `"WebDAV"`.
    static var type: String { get }

    /// The storage that this provider accesses.
    var identity: ProviderIdentity { get }

    /// The delegates, queues, logger and registrations of this instance.
    var context: FileProviderContext { get }

    /// Returns one item.
    ///
    /// A symbolic link is described itself, not what it points to; with a trailing slash, the directory that it leads
    /// to.
    ///
    /// - Throws: `CocoaError(.fileReadNoSuchFile)` when there is no such item or no directory that could contain it,
    ///   and for a file whose path is written with a trailing slash.
    func attributesOfItem(path: ItemPath) async throws -> FileObject

    /// Returns the entries of one directory, without those of its subdirectories.
    ///
    /// Nothing happens before the first page is pulled. Pulling throws `.fileReadNoSuchFile` for a missing directory
    /// and "not a directory" (`POSIXError.ENOTDIR` underlying) for a file.
    func listing(path: ItemPath) -> DirectoryListing

    /// Returns a second provider of the same storage and session with its own delegates and registrations.
    func copy() -> Self

    // MARK: Requirements with a default

    /// The root's URL, or `nil` where items have none.
    var baseURL: URL? { get }

    /// The credential that requests are made with, where the storage wants one. Never shown in descriptions or logs.
    var credential: Credential? { get }

    /// Returns what the storage that holds `path` can do beyond the provider's conformances, determined once and
    /// remembered.
    func characteristics(path: ItemPath) async throws -> ProviderCharacteristics

    /// Returns the capacity and name of the storage that holds `path`, or `nil` where it does not report them.
    ///
    /// A provider's tree can span several volumes or quotas; ``storageProperties()`` returns the root's.
    func storageProperties(path: ItemPath) async throws -> VolumeObject?

    /// Returns every item below `path`, parents before their children, never the directory itself, never twice;
    /// symbolic links are listed but not followed. The default lists directory by directory.
    ///
    /// A directory below `path` that cannot be listed fails the pull that reaches it, with an error about its path; the
    /// next pull continues after it, or ends the listing where the storage lists whole trees at once.
    func recursiveListing(path: ItemPath) -> DirectoryListing

    /// Returns the items in `path`, or anywhere below it, that match `query`; pages arrive as they are found. The
    /// default lists and evaluates the query on the client. `TRUEPREDICATE` gives the listing itself.
    func search(path: ItemPath, recursive: Bool, query: FileQuery) -> DirectoryListing

    /// Checks whether the storage responds at all, and throws the reason if it does not. Prefer trying the operation
    /// itself: the answer may be outdated at once.
    func checkReachable() async throws

    /// Returns the URL of an item: ``baseURL`` and the percent-encoded path, or without a base the path alone as a
    /// relative URL.
    func url(of path: ItemPath) -> URL

    /// Returns the path within this provider that `url` stands for, or `nil` when it lies elsewhere. Without a base
    /// URL, this is the path of a relative URL.
    func relativePathOf(url: URL) -> ItemPath?
}

extension FileProviderBasic {
    /// The default: no URL.
    public var baseURL: URL? { nil }

    /// The default: no credential.
    public var credential: Credential? { nil }

    /// Returns the default: nothing known beyond the conformances.
    public func characteristics(path: ItemPath) async throws -> ProviderCharacteristics { ProviderCharacteristics() }

    /// Returns the default: not reported.
    public func storageProperties(path: ItemPath) async throws -> VolumeObject? { nil }

    /// Returns the capacity and name of the storage that holds the root.
    public func storageProperties() async throws -> VolumeObject? { try await storageProperties(path: .root) }

    /// Lists directory by directory.
    public func recursiveListing(path: ItemPath) -> DirectoryListing { defaultRecursiveListing(path: path) }

    /// Lists and evaluates the query on the client.
    public func search(path: ItemPath, recursive: Bool, query: FileQuery) -> DirectoryListing {
        defaultSearch(path: path, recursive: recursive, query: query)
    }

    /// Requests the root's attributes.
    public func checkReachable() async throws { _ = try await attributesOfItem(path: .root) }

    /// Returns whether the storage responds at all; ``checkReachable()`` throws the reason if it does not.
    public func isReachable() async -> Bool { (try? await checkReachable()) != nil }

    /// Joins ``baseURL`` and the percent-encoded path.
    public func url(of path: ItemPath) -> URL { ProviderURL.url(of: path, base: baseURL) }

    /// Removes ``baseURL`` from the front.
    public func relativePathOf(url: URL) -> ItemPath? { ProviderURL.path(of: url, base: baseURL) }
}
