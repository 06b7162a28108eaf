import CloudCore
import FileProviding

/// Makes any file provider a `Connection`.
///
/// What a provider cannot do degrades by its capabilities, never by its name:
///
/// | lacking | instead |
/// |---|---|
/// | propagating directory tags (`characteristics`) | budgeted rescans: each scan lists some directories again |
/// | permanent identifiers (`FileObject.fileID`) | a moved item is one removed and one new |
/// | tags | a file counts as changed when its size or time has |
/// | `FileProviderMonitor` | changes are found by scans only |
/// | `IndexedSearchProvider` | a query finds what the vault knows, until scans have seen all |
/// | `ShareProvider` | sharing is refused; items carry no shares |
/// | `AttributeProvider` | a command to change attributes is refused and taken back |
public struct ProviderAdapter: Connection {
    /// A provider for a bookmark, and the directory of it that is the vault's root.
    public typealias Opening = @Sendable (Bookmark) async throws -> (provider: any FileProviderBasic, root: ItemPath)

    private let storage: Locked<(provider: any FileProviderBasic, root: ItemPath)>
    private let open: Opening?
    let writtenFiles = WrittenFiles()

    /// Where the items are.
    public var provider: any FileProviderBasic { storage.withLock { $0.provider } }
    /// The directory that is the vault's root.
    public var root: ItemPath { storage.withLock { $0.root } }

    /// A connection to the storage of `provider`, or to what lies below one directory of it. Its credential, trust and
    /// retries are the provider's own.
    ///
    /// Where `root` is not there, the connection is offline. A provider that holds its own root open, as that of local files
    /// does, follows it wherever it goes: give it a directory above, so that a folder that is moved or unmounted is missed.
    ///
    /// - Parameters:
    ///   - provider: where the items are.
    ///   - root: the directory of it that is the vault's root.
    ///   - open: makes the provider anew when an answer has changed the bookmark's address or trust, or a credential is to be
    ///     looked for again. Without it only the trust in certificates can change.
    public init(_ provider: any FileProviderBasic, root: ItemPath = .root, reopening open: Opening? = nil) {
        storage = Locked((provider, root))
        self.open = open
    }

    /// Opens the provider anew where it was told how. Else lets it trust the bookmark's certificates, and refuses another
    /// address.
    public func adopt(_ bookmark: Bookmark) async throws {
        if let open {
            let opened = try await open(bookmark)
            return storage.withLock { $0 = opened }
        }
        guard let provider = provider as? any FileProviderServerTrust, bookmark.originalURL == nil else {
            throw FileError.unsupported(bookmark.name, "it is not known how to open it anew")
        }
        provider.trustDecider = PinnedTrust(bookmark.pinnedCertificates, otherwise: provider.trustDecider)
    }

    /// The provider's path of an item.
    func place(_ path: ItemPath) -> ItemPath { path.isIdentifier ? path : root.appending(path) }

    /// What the provider's characteristics say.
    public func traits() async throws -> ConnectionTraits {
        try await withRoot {
            ConnectionTraits(
                propagatesDirectoryETags: try await provider.characteristics(path: root).propagatesDirectoryETags)
        }
    }

    /// The provider's attributes of the item.
    public func attributes(of path: ItemPath) async throws -> FileObject {
        if path == .root { return try await presentRoot() }
        return try await withRoot { try await provider.attributesOfItem(path: place(path)) }
    }

    /// The provider's listing, without the names of files on their way, which come and go.
    public func listing(of path: ItemPath) -> DirectoryListing {
        let listing = provider.listing(path: place(path)).filter { !TemporaryName.isOurs($0.itemName) }
        return DirectoryListing {
            let pages = Locked(listing.makeAsyncIterator())
            return {
                try await withRoot {
                    var iterator = pages.withLock { $0 }
                    let page = try await iterator.next()
                    pages.withLock { [iterator] in $0 = iterator }
                    return page
                }
            }
        }
    }

    /// The provider's changes, where it has a monitor: each as the directory whose entries it is about.
    public func signals() async throws -> AsyncThrowingStream<ConnectionSignal, any Error>? {
        guard let monitor = provider as? any FileProviderMonitor else { return nil }
        let changes = try await monitor.changes(path: root, recursive: true)
        return AsyncThrowingStream { continuation in
            let task = Task {
                do {
                    for try await change in changes {
                        if let signal = change.signal(below: root) { continuation.yield(signal) }
                    }
                    continuation.finish()
                } catch {
                    continuation.finish(throwing: error)
                }
            }
            continuation.onTermination = { _ in task.cancel() }
        }
    }
}

extension FileChange {
    /// Which directories have to be looked at, in paths below `root`; `nil` where none of them is there.
    fileprivate func signal(below root: ItemPath) -> ConnectionSignal? {
        func directory(_ path: ItemPath) -> ItemPath? { (path.parent ?? .root).relative(to: root) }
        switch self {
        case .created(let path), .modified(let path), .removed(let path): return directory(path).map { .changed($0) }
        case .moved(let old, let new):
            guard let old = directory(old) else { return directory(new).map { .changed($0) } }
            return directory(new).map { .moved(from: old, to: $0) } ?? .changed(old)
        case .rescan: return .changedSomewhere
        }
    }
}
