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
public struct ProviderAdapter: Connection {
    /// Where the items are.
    public let provider: any FileProviderBasic
    /// The directory that is the vault's root.
    public let root: ItemPath

    /// A connection to the storage of `provider`, or to what lies below one directory of it. Its credential, trust and
    /// retries are the provider's own.
    public init(_ provider: any FileProviderBasic, root: ItemPath = .root) {
        self.provider = provider
        self.root = root
    }

    /// The provider's path of an item.
    private func place(_ path: ItemPath) -> ItemPath { path.isIdentifier ? path : root.appending(path) }

    /// What the provider's characteristics say.
    public func traits() async throws -> ConnectionTraits {
        ConnectionTraits(
            propagatesDirectoryETags: try await provider.characteristics(path: root).propagatesDirectoryETags)
    }

    /// The provider's attributes of the item.
    public func attributes(of path: ItemPath) async throws -> FileObject {
        try await provider.attributesOfItem(path: place(path))
    }

    /// The provider's listing, without the names of files on their way, which come and go.
    public func listing(of path: ItemPath) -> DirectoryListing {
        provider.listing(path: place(path)).filter { !TemporaryName.isOurs($0.itemName) }
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
