import FileProviding
import Foundation
import Glibc

/// Translates the kernel's events about watched directories into changes of a tree.
///
/// A new directory is first watched and then listed, so that nothing created before the watch is lost. Files being
/// written, which have temporary names, are not reported; what they finally replace counts as modified.
struct ChangeReader {
    /// The first half of a rename; the second usually follows directly.
    private struct Departure {
        let cookie: UInt32
        let path: ItemPath
        let watch: Int32?
        let isDirectory: Bool
        let isTemporary: Bool
    }

    let inotify: Inotify
    private let root: LocalRoot
    private let isRecursive: Bool
    private var tree: WatchTree
    private var departure: Departure?
    /// Items that were found by listing new directories and that the kernel may still report.
    private var announced: [Int32: Set<ItemName>] = [:]
    /// New directories that were not found under their paths, by the watches of the directories that hold them: a
    /// directory above has been renamed, which the kernel is yet to report.
    private var unfound: [Int32: Set<ItemName>] = [:]
    private var changes: [FileChange] = []

    /// Whether the watched directory itself is gone.
    private(set) var isOver = false
    /// Whether the kernel cannot report that the watched directory is removed: the root is held open, and the report
    /// comes when nobody holds it any more.
    var watchesRoot: Bool { tree.top.path.isRoot }
    /// Whether something remains to be settled once the kernel has been silent for a moment.
    var isUnsettled: Bool { departure != nil || !announced.isEmpty || !unfound.isEmpty }

    /// Begins to watch.
    init(_ path: ItemPath, recursive: Bool, in root: LocalRoot) throws {
        let directory = try root.directoryToList(path)
        self.root = root
        isRecursive = recursive
        do {
            inotify = try Inotify()
            tree = WatchTree(top: try inotify.add(directory), path: path.asDirectory)
        } catch {
            throw watchError(path, error)
        }
        if recursive { try lookThrough(directory, watch: tree.top.watch, path: path, announcing: false) }
    }

    /// Returns the changes that the events mean; more may become clear when the kernel has been silent, see
    /// ``settle()``.
    mutating func read(_ events: [Inotify.Event]) throws -> [FileChange] {
        for event in events { try read(event) }
        defer { changes = [] }
        return changes
    }

    /// Returns the changes that were waiting for a second event that did not come.
    mutating func settle() -> [FileChange] {
        endDeparture()
        announced = [:]
        unfound = [:]
        defer { changes = [] }
        return changes
    }

    /// Looks whether the root was removed, as ``watchesRoot`` requires now and then.
    mutating func lookForRoot() -> [FileChange] {
        guard watchesRoot, let status = try? root.directory.status(), status.linkCount == 0 else { return [] }
        isOver = true
        return settle() + [.removed(tree.top.path)]
    }

    private mutating func read(_ event: Inotify.Event) throws {
        if event.has(IN_Q_OVERFLOW) { return try startOver() }
        // A rename's two halves follow each other; anything else in between means that the item left the watched tree.
        if let departure, !(event.has(IN_MOVED_TO) && departure.cookie == event.cookie) { endDeparture() }
        guard let directory = tree.path(of: event.watch) else { return }
        guard !event.name.isEmpty else { return readAboutDirectory(event, path: directory) }
        let name = ItemName(unchecked: event.name)
        let path = directory.appending(name)
        if event.has(IN_MOVED_TO), let arrived = departure, arrived.cookie == event.cookie {
            departure = nil
            return try finishMove(arrived, to: path, name: name, in: event.watch)
        }
        if event.has(IN_MOVED_FROM, IN_DELETE) { unfound[event.watch]?.remove(name) }
        if event.has(IN_MOVED_FROM) {
            announced[event.watch]?.remove(name)
            departure = Departure(
                cookie: event.cookie, path: path, watch: tree.child(name, of: event.watch),
                isDirectory: event.has(IN_ISDIR), isTemporary: TemporaryName.isOurs(name))
        } else if TemporaryName.isOurs(name) || isUnnamed(path, event) {
            return
        } else if event.has(IN_CREATE, IN_MOVED_TO) {
            if announced[event.watch]?.remove(name) != nil { return }
            try announce(path, name: name, isDirectory: event.has(IN_ISDIR), in: event.watch)
        } else if event.has(IN_DELETE) {
            announced[event.watch]?.remove(name)
            changes.append(.removed(path))
        } else {
            addModified(path)
            // Somebody may have made it readable.
            if event.has(IN_ATTRIB), event.has(IN_ISDIR), isRecursive, tree.child(name, of: event.watch) == nil {
                try watch(path, name: name, in: event.watch, announcing: true)
            }
        }
    }

    private mutating func readAboutDirectory(_ event: Inotify.Event, path: ItemPath) {
        if event.watch == tree.top.watch, event.has(IN_DELETE_SELF, IN_MOVE_SELF, IN_UNMOUNT) {
            endDeparture()
            changes.append(.removed(path))
            isOver = true
        } else if event.has(IN_IGNORED) {
            _ = tree.remove(event.watch)
            announced[event.watch] = nil
        }
    }

    private mutating func finishMove(
        _ departure: Departure, to path: ItemPath, name: ItemName, in watch: Int32
    ) throws {
        if TemporaryName.isOurs(name) {
            if !departure.isTemporary { changes.append(.removed(departure.path)) }
            if let moved = departure.watch { forget(moved) }
        } else if departure.isTemporary, !departure.isDirectory {
            announced[watch]?.remove(name)
            addModified(path)
        } else if departure.isTemporary || (departure.isDirectory && isRecursive && departure.watch == nil) {
            if !departure.isTemporary { changes.append(.removed(departure.path)) }
            try announce(path, name: name, isDirectory: departure.isDirectory, in: watch)
        } else {
            announced[watch]?.remove(name)
            if let moved = departure.watch { tree.place(moved, as: name, in: watch) }
            changes.append(.moved(from: departure.path, to: path))
            try lookForUnfound()
        }
    }

    /// Returns whether the event is about a file that has no name yet (`O_TMPFILE`): the kernel names it `#` and its
    /// number.
    private func isUnnamed(_ path: ItemPath, _ event: Inotify.Event) -> Bool {
        guard event.name.first == UInt8(ascii: "#"), event.has(IN_MODIFY, IN_CLOSE_WRITE, IN_ATTRIB) else {
            return false
        }
        return (try? root.status(of: path)) == nil
    }

    /// Treats an item as moved to a place that is not watched.
    private mutating func endDeparture() {
        guard let gone = departure.take(), !gone.isTemporary else { return }
        changes.append(.removed(gone.path))
        if let watch = gone.watch { forget(watch) }
    }

    private mutating func forget(_ watch: Int32) {
        for watch in tree.remove(watch) {
            inotify.remove(watch)
            announced[watch] = nil
        }
    }

    private mutating func announce(_ path: ItemPath, name: ItemName, isDirectory: Bool, in parent: Int32) throws {
        changes.append(.created(path))
        if isDirectory, isRecursive { try watch(path, name: name, in: parent, announcing: true) }
    }

    private mutating func addModified(_ path: ItemPath) {
        if changes.last != .modified(path) { changes.append(.modified(path)) }
    }

    /// Watches a directory and those below it.
    ///
    /// - Parameter announcing: whether the items found are to be reported as new.
    private mutating func watch(_ path: ItemPath, name: ItemName, in parent: Int32, announcing: Bool) throws {
        let directory: Directory
        do throws(Errno) {
            directory = Directory(owning: try root.open(path, flags: O_RDONLY | O_DIRECTORY | O_NOFOLLOW))
        } catch {
            // A directory that is gone, or cannot be read, cannot be watched; others can, as long as there is room.
            if [EMFILE, ENFILE, ENOMEM].contains(error.code) { throw localError(path, error, writing: false) }
            if announcing { unfound[parent, default: []].insert(name) }
            return
        }
        let watch: Int32
        do { watch = try inotify.add(directory) } catch { throw watchError(path, error) }
        guard tree.place(watch, as: name, in: parent) else { return }
        try lookThrough(directory, watch: watch, path: path, announcing: announcing)
    }

    /// Looks again for new directories, now that a directory has been renamed.
    private mutating func lookForUnfound() throws {
        let missing = unfound
        unfound = [:]
        for (parent, names) in missing {
            guard let path = tree.path(of: parent) else { continue }
            for name in names { try watch(path.appending(name), name: name, in: parent, announcing: true) }
        }
    }

    private mutating func lookThrough(
        _ directory: Directory, watch parent: Int32, path: ItemPath, announcing: Bool
    ) throws {
        let reader = DirectoryReader(directory)
        while true {
            let next: DirectoryReader.Entry?
            do { next = try reader.next() } catch {
                // What else is in it is not watched.
                changes.append(.rescan(path))
                return
            }
            guard let entry = next else { return }
            guard !TemporaryName.isOurs(entry.name) else { continue }
            let inner = path.appending(entry.name)
            if announcing {
                changes.append(.created(inner))
                announced[parent, default: []].insert(entry.name)
            }
            if (try? directory.isDirectory(entry.name, knownAs: entry.type)) == true {
                try watch(inner, name: entry.name, in: parent, announcing: announcing)
            }
        }
    }

    /// Starts over after the kernel lost events: directories may be new, gone or elsewhere, and anything may have
    /// changed.
    private mutating func startOver() throws {
        departure = nil
        announced = [:]
        unfound = [:]
        let (top, watches) = (tree.top, tree.watches)
        guard let directory = try reopenedTop() else {
            changes.append(.removed(top.path))
            isOver = true
            return
        }
        changes.append(.rescan(top.path))
        guard isRecursive else { return }
        tree = WatchTree(top: top.watch, path: top.path)
        try lookThrough(directory, watch: top.watch, path: top.path, announcing: false)
        for watch in watches.subtracting(tree.watches) { inotify.remove(watch) }
    }

    /// Reopens the directory at the top; returns `nil` if it is gone or another one has taken its place.
    private func reopenedTop() throws -> Directory? {
        do {
            let directory = try root.directoryToList(tree.top.path)
            // If it is the same directory, it already has its watch.
            return (try? inotify.add(directory)) == tree.top.watch ? directory : nil
        } catch  where error.isNoSuchFile || error.isNotADirectory {
            return nil
        }
    }
}

/// Returns an error that says which of the kernel's limits prevents watching a directory.
private func watchError(_ path: ItemPath, _ error: Errno) -> CocoaError {
    let limit: String? =
        switch error.code {
        case ENOSPC: "fs.inotify.max_user_watches"
        case EMFILE: "fs.inotify.max_user_instances"
        default: nil
        }
    guard let limit else { return localError(path, error, writing: false) }
    return cocoaError(
        path, code: .fileReadUnknown, reason: "too many directories are watched; raise \(limit) with sysctl",
        underlying: POSIXErrorCode(rawValue: error.code).map { POSIXError($0) })
}
