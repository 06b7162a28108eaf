import CloudCore
import FileProviding

/// An adapter that makes any file provider a `Connection`.
///
/// What a provider does not support is replaced according to its capabilities, never according to its name:
///
/// | missing | instead |
/// |---|---|
/// | propagating directory tags (`characteristics`) | budgeted rescans: each scan lists some directories again |
/// | permanent identifiers (`FileObject.fileID`) | a moved item is a removed one and a new one |
/// | tags | a file counts as changed when its size or time has changed |
/// | `FileProviderMonitor` | changes are found by scans only |
/// | `IndexedSearchProvider` | a query finds what the vault knows, until scans have seen everything |
/// | `ShareProvider` | sharing is refused; items carry no shares |
/// | `AttributeProvider` | a command to change attributes is refused and undone |
/// | copying on the server | a command to copy is refused and undone |
public struct ProviderAdapter: Connection {
    /// Opens a provider for a bookmark, and determines the directory of it that is the vault's root.
    public typealias Opening = @Sendable (Bookmark) async throws -> (provider: any FileProviderBasic, root: ItemPath)

    private let storage: Locked<(provider: any FileProviderBasic, root: ItemPath)>
    private let open: Opening?
    let writtenFiles: WrittenFiles

    /// The storage of the items.
    public var provider: any FileProviderBasic { storage.withLock { $0.provider } }
    /// The directory that is the vault's root.
    public var root: ItemPath { storage.withLock { $0.root } }

    /// Creates a connection to the storage of `provider`, or to what is below one of its directories. Its credential,
    /// trust and retries are the provider's own.
    ///
    /// If `root` does not exist, the connection is offline. A provider that holds its own root open, as the one of
    /// local files does, follows it wherever it is moved: give it a directory above, so that a folder that is moved or
    /// unmounted is noticed.
    ///
    /// - Parameters:
    ///   - provider: the storage of the items.
    ///   - root: the directory of it that is the vault's root.
    ///   - open: opens the provider again when an answer has changed the bookmark's address or trust, or a credential
    ///     has to be looked up again. Without it only the trust in certificates can change, and only at the
    ///     bookmark's first address.
    public init(_ provider: any FileProviderBasic, root: ItemPath = .root, reopening open: Opening? = nil) {
        storage = Locked((provider, root))
        self.open = open
        writtenFiles = WrittenFiles()
    }

    private init(asItIs adapter: ProviderAdapter) {
        storage = Locked(adapter.storage.withLock { $0 })
        open = nil
        writtenFiles = adapter.writtenFiles
    }

    /// The adapter with the storage that it has now: for what takes several requests, all of which have to go to the
    /// same one, even if another is adopted meanwhile.
    var asItIs: ProviderAdapter { ProviderAdapter(asItIs: self) }

    /// Opens the provider again, if it was created with `open`. Otherwise lets it trust the bookmark's certificates,
    /// and refuses another address than its first.
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

    /// Returns the provider's path of an item.
    func place(_ path: ItemPath) -> ItemPath { path.isIdentifier ? path : root.appending(path) }

    /// Whether the provider's files are on this machine.
    public var isMounted: Bool { provider is any FileProviderLocalAccess }

    /// Returns the traits derived from the provider's characteristics.
    public func traits() async throws -> ConnectionTraits {
        let adapter = asItIs
        return try await adapter.withRoot {
            let characteristics = try await adapter.provider.characteristics(path: adapter.root)
            return ConnectionTraits(propagatesDirectoryETags: characteristics.propagatesDirectoryETags)
        }
    }

    /// Returns the provider's attributes of the item.
    public func attributes(of path: ItemPath) async throws -> FileObject {
        let adapter = asItIs
        if path == .root { return try await adapter.presentRoot() }
        return try await adapter.withRoot { try await adapter.provider.attributesOfItem(path: adapter.place(path)) }
    }

    /// Returns the provider's listing, without the temporary names of files being written, which come and go, and
    /// without members whose names the server cannot write: a vault has no place for them.
    public func listing(of path: ItemPath) -> DirectoryListing {
        let adapter = asItIs
        let listing = adapter.provider.listing(path: adapter.place(path)).filter { !TemporaryName.isOurs($0.itemName) }
        return DirectoryListing {
            let pages = Locked(listing.makeAsyncIterator())
            return {
                try await adapter.withRoot {
                    var iterator = pages.withLock { $0 }
                    defer { pages.withLock { [iterator] in $0 = iterator } }
                    do { return try await iterator.next() } catch  where error.isNamelessMember { return nil }
                }
            }
        }
    }

    /// Returns the provider's changes, if it has a monitor: each as the directory whose entries it is about.
    public func signals() async throws -> AsyncThrowingStream<ConnectionSignal, any Error>? {
        let (provider, root) = storage.withLock { $0 }
        guard let monitor = provider as? any FileProviderMonitor else { return nil }
        let changes: FileChanges
        do { changes = try await monitor.changes(path: root, recursive: true) } catch  where error.isUnsupported {
            return nil
        }
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
    /// Returns the signal for the directories that have to be listed, with paths below `root`; `nil` if none of them is
    /// there.
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
