import FileProviding
import Foundation

/// The storage behind ``MemoryFileProvider``: a tree of files in this process, shared by all providers created for it.
///
/// It lives as long as it is referenced; ``MemoryStoreTable`` keeps those that have a name.
public final class MemoryStore: Sendable {
    /// The name by which `mem:` URLs reach the store, or `nil` for a store without one.
    public let name: ItemName?
    /// Distinguishes the store from every other.
    let id: String
    private let clock: @Sendable () -> FileTime
    private let state: Locked<State>

    private struct State {
        var tree: MemoryTree
        var watchers: [UUID: MemoryWatcher] = [:]
        var uploads: [String: StagedUpload] = [:]

        /// Adding a change only stores it: no client code runs here, under the lock.
        mutating func tellWatchers() {
            for change in tree.pendingChanges {
                for (id, watcher) in watchers where !watcher.tell(change) { watchers[id] = nil }
            }
            tree.pendingChanges.removeAll()
        }
    }

    /// A file being uploaded, kept until it is committed or aborted.
    struct StagedUpload: Sendable {
        var path: ItemPath
        var length: Int64?
        var data = Data()
    }

    /// Creates an empty store.
    ///
    /// - Parameters:
    ///   - capacity: the capacity in bytes; `nil` for no limit.
    ///   - clock: returns the current time; tests pass their own.
    public convenience init(capacity: Int64? = nil, clock: @escaping @Sendable () -> FileTime = { FileTime(Date()) }) {
        self.init(name: nil, capacity: capacity, clock: clock)
    }

    init(name: ItemName?, capacity: Int64?, clock: @escaping @Sendable () -> FileTime) {
        self.name = name
        self.clock = clock
        id = name.map { ItemPath.root.appending($0).percentEncoded } ?? UUID().uuidString
        state = Locked(State(tree: MemoryTree(capacity: capacity, now: clock())))
    }

    /// The number of bytes in use, and the capacity in bytes.
    public var usage: (used: Int64, capacity: Int64?) { read { ($0.usedBytes, $0.capacity) } }

    /// Sets an item's Unix permission bits. The owner's are enforced: a file without `0o400` cannot be read, and the
    /// entries of a directory without `0o200` cannot be changed.
    public func setPermissions(_ permissions: UInt16, of path: ItemPath) throws {
        try change { tree, _ in
            let node = try tree.find(path)
            tree.update(node.id) { $0.permissions = permissions }
            tree.tell(node.id) { .modified($0) }
        }
    }

    // MARK: Looking and changing

    func read<Result>(_ look: (MemoryTree) throws -> Result) rethrows -> Result {
        try state.withLock { try look($0.tree) }
    }

    /// Changes the tree atomically and notifies the watchers, in the order of the changes.
    func change<Result>(_ step: (inout MemoryTree, _ now: FileTime) throws -> Result) rethrows -> Result {
        let now = clock()
        return try state.withLock { state in
            defer { state.tellWatchers() }
            return try step(&state.tree, now)
        }
    }

    // MARK: Watching

    func add(_ watcher: MemoryWatcher, as id: UUID) {
        state.withLock { $0.watchers[id] = watcher }
    }

    func removeWatcher(_ id: UUID) {
        state.withLock { $0.watchers[id] = nil }
    }

    // MARK: Uploads

    func upload(_ id: String) -> StagedUpload? { state.withLock { $0.uploads[id] } }

    func setUpload(_ id: String, _ upload: StagedUpload?) { state.withLock { $0.uploads[id] = upload } }

    /// Adds bytes to an upload; returns the new number of bytes, or `nil` when the upload no longer exists.
    func append(_ chunk: Data, to id: String) -> Int64? {
        state.withLock { state in
            state.uploads[id]?.data.append(chunk)
            return state.uploads[id].map { Int64($0.data.count) }
        }
    }
}
