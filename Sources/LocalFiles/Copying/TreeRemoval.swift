import FileProviding
import Glibc

/// Removes an item and everything below it, through open directories and never through a link.
struct TreeRemoval {
    private struct Level {
        let name: ItemName
        let path: ItemPath
        let reader: DirectoryReader
    }

    private let ignoresCancellation: Bool
    private var levels: [Level] = []
    private var failure: (any Error)?

    /// - Parameter ignoresCancellation: whether to go on when the task is cancelled, as for clearing up after a copy.
    init(ignoresCancellation: Bool = false) { self.ignoresCancellation = ignoresCancellation }

    /// Removes the item `name` in `directory`.
    ///
    /// What cannot be removed does not keep the rest, and what somebody else removes meanwhile is gone as wanted.
    ///
    /// - Parameter path: where the item is, for errors.
    /// - Throws: the first failure, about the item that stays.
    consuming func remove(_ name: ItemName, in directory: Directory, path: ItemPath) throws {
        removeItem(name, type: UInt8(DT_UNKNOWN), in: directory, path: path)
        while let level = levels.last {
            if !ignoresCancellation { try Task.checkCancellation() }
            if let entry = try about(level.path, writing: true, { try level.reader.next() }) {
                let path = level.path.appending(entry.name)
                removeItem(entry.name, type: entry.type, in: level.reader.directory, path: path)
            } else {
                levels.removeLast()
                let parent = levels.last?.reader.directory ?? directory
                note(level.path) { () throws(Errno) in try parent.removeDirectory(level.name) }
            }
        }
        if let failure { throw failure }
    }

    /// Removes an item, or enters a directory.
    private mutating func removeItem(_ name: ItemName, type: UInt8, in directory: Directory, path: ItemPath) {
        var inner: Directory?
        note(path) { () throws(Errno) in
            if try directory.isDirectory(name, knownAs: type) {
                do throws(Errno) { inner = try directory.openDirectory(name) } catch {
                    // One that may not be read can still go when it is empty.
                    guard error.code == EACCES, (try? directory.removeDirectory(name)) != nil else { throw error }
                }
            } else {
                try directory.remove(name)
            }
        }
        if let inner { levels.append(Level(name: name, path: path, reader: DirectoryReader(inner))) }
    }

    private mutating func note(_ path: ItemPath, _ work: () throws(Errno) -> Void) {
        do { try work() } catch {
            if error.code == ENOENT, !levels.isEmpty { return }
            failure = failure ?? localError(path, error, writing: true)
        }
    }
}
