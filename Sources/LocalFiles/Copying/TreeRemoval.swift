import FileProviding
import Glibc

/// Removes an item and everything below it, through open directories and never through a link.
struct TreeRemoval {
    private struct Level {
        let name: ItemName
        let path: ItemPath
        let reader: DirectoryReader
        /// The copy of the directory; with it, only what was copied is removed.
        let copy: Directory?
    }

    private let ignoresCancellation: Bool
    private let opensDirectories: Bool
    private var levels: [Level] = []
    private var failure: (any Error)?

    /// - Parameters:
    ///   - ignoresCancellation: whether to continue when the task is cancelled, as for cleaning up after a copy.
    ///   - opensDirectories: whether to make unreadable or read-only directories accessible first, as in our own
    ///     copies.
    init(ignoresCancellation: Bool = false, opensDirectories: Bool = false) {
        self.ignoresCancellation = ignoresCancellation
        self.opensDirectories = opensDirectories
    }

    /// Removes the item `name` in `directory`.
    ///
    /// An item that cannot be removed does not stop the removal of the rest, and an item that somebody else removes in
    /// the meantime is no failure.
    ///
    /// - Parameters:
    ///   - path: where the item is, for error messages.
    ///   - copy: where its copy by ``TreeCopy`` is: then items that were added or changed since they were copied stay.
    /// - Throws: the first failure, about the item that stays.
    consuming func remove(_ name: ItemName, in directory: Directory, path: ItemPath, copiedTo copy: Place? = nil) throws
    {
        removeItem(name, type: UInt8(DT_UNKNOWN), in: directory, path: path, copiedTo: copy)
        while let level = levels.last {
            if !ignoresCancellation { try Task.checkCancellation() }
            if let entry = try about(level.path, writing: true, { try level.reader.next() }) {
                let path = level.path.appending(entry.name)
                removeItem(
                    entry.name, type: entry.type, in: level.reader.directory, path: path,
                    copiedTo: level.copy.map { Place(directory: $0, name: entry.name) })
            } else {
                levels.removeLast()
                let parent = levels.last?.reader.directory ?? directory
                note(level.path) { () throws(Errno) in try parent.removeDirectory(level.name) }
            }
        }
        if let failure { throw failure }
    }

    /// Removes an item, or enters a directory.
    private mutating func removeItem(
        _ name: ItemName, type: UInt8, in directory: Directory, path: ItemPath, copiedTo copy: Place?
    ) {
        var inner: Directory?
        var innerCopy: Directory?
        var isOutdated = false
        let opens = opensDirectories
        note(path) { () throws(Errno) in
            if try directory.isDirectory(name, knownAs: type) {
                if opens { directory.tryToOpenToOwner(name) }
                do throws(Errno) { inner = try directory.openDirectory(name) } catch {
                    // An unreadable directory can still be removed when it is empty.
                    guard error.code == EACCES, (try? directory.removeDirectory(name)) != nil else { throw error }
                }
                innerCopy = copy.flatMap { try? $0.directory.openDirectory($0.name) }
                isOutdated = copy != nil && innerCopy == nil
            } else {
                isOutdated =
                    try copy.map { copy throws(Errno) in
                        try !Place(directory: directory, name: name).isCopied(to: copy)
                    } ?? false
                if !isOutdated { try directory.remove(name) }
            }
        }
        if isOutdated {
            failure = failure ?? FileError.changed(path)
        } else if let inner {
            levels.append(Level(name: name, path: path, reader: DirectoryReader(inner), copy: innerCopy))
        }
    }

    private mutating func note(_ path: ItemPath, _ work: () throws(Errno) -> Void) {
        do { try work() } catch {
            if error.code == ENOENT, !levels.isEmpty { return }
            failure = failure ?? localError(path, error, writing: true)
        }
    }
}

extension Place {
    /// Returns whether the item here, which is no directory, is the one that a copy with preserved times was made from.
    fileprivate func isCopied(to copy: Place) throws(Errno) -> Bool {
        let status = try status()
        guard let copied = try copy.directory.statusIfPresent(of: copy.name) else { return false }
        guard status.isLink, copied.isLink else { return status.isCopied(to: copied) }
        return try directory.linkTarget(of: name) == copy.directory.linkTarget(of: copy.name)
    }
}

extension Status {
    fileprivate func isCopied(to copy: Status) -> Bool {
        guard copy.type == type else { return false }
        guard isRegularFile else { return copy.target == target }
        // Some file systems cut off part of the time: exFAT keeps hundredths, others seconds, FAT every second one.
        let granularity = FileTime(nanoseconds: copy.modified).granularity
        let window = granularity == 1_000_000_000 ? 2_000_000_000 : min(granularity, 10_000_000)
        return copy.size == size
            && FileTime(nanoseconds: modified).isWithin(window, of: FileTime(nanoseconds: copy.modified))
    }
}
