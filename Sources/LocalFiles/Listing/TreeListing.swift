import FileProviding
import Glibc

/// Lists a directory, or a whole tree with parents before their children, in pages.
///
/// Each entry is looked up once, by its name in the open directory; a page can hold entries of many directories. For
/// one reader at a time.
final class TreeListing: Sendable {
    private static let pageSize = 1000

    /// A directory being listed.
    private final class Level {
        let path: ItemPath
        let reader: DirectoryReader
        /// Subdirectories that are still to be listed.
        var below: [ItemName] = []

        init(_ path: ItemPath, _ directory: Directory) {
            self.path = path
            reader = DirectoryReader(directory)
        }
    }

    private enum State {
        case notBegun
        /// The directory being listed is the last; those that contain it come before it.
        case under([Level])
        /// A failure to throw now that the entries before it have been delivered, and the directories to continue with.
        case failed(any Error, [Level])
        case finished
    }

    private let root: LocalRoot
    private let path: ItemPath
    private let isRecursive: Bool
    private let state = Locked(State.notBegun)

    init(_ path: ItemPath, in root: LocalRoot, isRecursive: Bool) {
        self.root = root
        self.path = path
        self.isRecursive = isRecursive
    }

    /// Returns the next entries, or `nil` after the last.
    func nextPage() throws -> DirectoryListing.Page? {
        let current = state.withLock { state in
            defer { state = .finished }
            return state
        }
        var levels: [Level]
        switch current {
        case .finished: return nil
        case .failed(let error, let rest):
            state.withLock { $0 = .under(rest) }
            throw error
        case .notBegun: levels = [Level(path.asDirectory, try root.directoryToList(path))]
        case .under(let open): levels = open
        }
        var page: DirectoryListing.Page = []
        do {
            while page.count < Self.pageSize, let level = levels.last {
                do {
                    if try read(level, into: &page) { continue }
                } catch {
                    levels.removeLast()
                    throw error
                }
                if let name = level.below.popLast() {
                    if let inner = try enter(name, of: level) { levels.append(inner) }
                } else {
                    levels.removeLast()
                }
            }
        } catch {
            let rest = levels
            state.withLock { $0 = page.isEmpty ? .under(rest) : .failed(error, rest) }
            guard !page.isEmpty else { throw error }
            return page
        }
        let rest = levels
        if !rest.isEmpty { state.withLock { $0 = .under(rest) } }
        return page.isEmpty && rest.isEmpty ? nil : page
    }

    /// Reads entries until the page is full or the directory ends, in which case it returns `false`.
    private func read(_ level: Level, into page: inout DirectoryListing.Page) throws -> Bool {
        try about(level.path) {
            while page.count < Self.pageSize {
                guard let entry = try level.reader.next() else { return false }
                guard let file = try describe(entry, in: level) else { continue }
                page.append(file)
                if isRecursive, file.isDirectory { level.below.append(entry.name) }
            }
            return true
        }
    }

    /// Returns the entry with its attributes, or `nil` when it has disappeared in the meantime.
    private func describe(_ entry: DirectoryReader.Entry, in level: Level) throws(Errno) -> FileObject? {
        let directory = level.reader.directory
        do {
            let status = try directory.status(of: entry.name)
            let link = status.isLink ? try directory.linkTarget(of: entry.name) : nil
            return FileObject(name: entry.name, in: level.path, status: status, link: link)
        } catch {
            switch error.code {
            case ENOENT, EINVAL: return nil
            // A directory may be readable without the right to look up its entries.
            case EACCES: return FileObject(name: entry.name, in: level.path, type: entry.knownType)
            default: throw error
            }
        }
    }

    /// Opens a directory in `level`; returns `nil` when it is no longer one.
    private func enter(_ name: ItemName, of level: Level) throws -> Level? {
        let path = level.path.appending(name)
        do {
            return Level(path, try level.reader.directory.openDirectory(name))
        } catch {
            if [ENOENT, ENOTDIR, ELOOP].contains(error.code) { return nil }
            throw localError(path, error, writing: false)
        }
    }
}

extension LocalRoot {
    /// Opens a directory for reading its entries; a link to one within the root is followed.
    func directoryToList(_ path: ItemPath) throws -> Directory {
        do {
            return Directory(owning: try open(path, flags: O_RDONLY | O_DIRECTORY))
        } catch {
            // Either the item itself is not a directory, or its parent is not.
            let item = path.asItem
            let isThere = error.code == ENOTDIR && (try? status(of: item)) != nil
            throw isThere ? FileError.notADirectory(path) : localError(path, error, writing: false)
        }
    }
}

extension DirectoryReader.Entry {
    fileprivate var knownType: FileObjectType {
        switch Int(type) {
        case Int(DT_REG): .regular
        case Int(DT_DIR): .directory
        case Int(DT_LNK): .symbolicLink
        default: .unknown
        }
    }
}
