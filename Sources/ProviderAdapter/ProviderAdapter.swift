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

    /// A connection to the storage of `provider`. Its credential, trust and retries are the provider's own.
    public init(_ provider: any FileProviderBasic) { self.provider = provider }

    /// What the provider's characteristics say.
    public func traits() async throws -> ConnectionTraits {
        ConnectionTraits(
            propagatesDirectoryETags: try await provider.characteristics(path: .root).propagatesDirectoryETags)
    }

    /// The provider's attributes of the item.
    public func attributes(of path: ItemPath) async throws -> FileObject {
        try await provider.attributesOfItem(path: path)
    }

    /// The provider's listing, without the names of files on their way, which come and go.
    public func listing(of path: ItemPath) -> DirectoryListing {
        provider.listing(path: path).filter { !TemporaryName.isOurs($0.itemName) }
    }

    /// The provider's changes, where it has a monitor: each as the directory whose entries it is about.
    public func signals() async throws -> AsyncThrowingStream<ConnectionSignal, any Error>? {
        guard let monitor = provider as? any FileProviderMonitor else { return nil }
        let changes = try await monitor.changes(path: .root, recursive: true)
        return AsyncThrowingStream { continuation in
            let task = Task {
                do {
                    for try await change in changes {
                        for signal in change.signals { continuation.yield(signal) }
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
    /// Which directories have to be looked at.
    fileprivate var signals: [ConnectionSignal] {
        switch self {
        case .created(let path), .modified(let path), .removed(let path): [.changed(path.parent ?? .root)]
        case .moved(let old, let new): [.changed(old.parent ?? .root), .changed(new.parent ?? .root)]
        case .rescan: [.changedSomewhere]
        }
    }
}
