import FileProviding
import Foundation

/// Everything that is stored locally for one bookmark, in one folder named after the bookmark's identifier: the
/// database, copies of files, and what could not be sent and must not be lost.
///
/// ```
/// <bookmark's UUID>/  lock  database.sqlite(-wal, -shm, .flushed)
///                     copies/<id>/<name>         a file's copy; renames and moves of the item leave it where it is
///                     incoming/                  files on their way here
///                     thumbnails/                small pictures of files
///                     transfers/                 what is needed to continue interrupted transfers
///                     recovery/<time>…/          edits that have no place on the server, or in an older database
///                     damaged/<time>/            a database that was set aside
/// ```
///
/// A vault can be open only once at a time: opening it again is refused, in this process and in any other.
public final class Vault: Sendable {
    /// The bookmark that this vault belongs to.
    public let bookmark: Bookmark
    /// The vault's folder.
    public let folder: LocalPath
    /// What was done about a damaged database when the vault was opened; `nil` if there was none.
    public let rebuild: Rebuild?
    package let database: Database
    private let lock: VaultLock
    /// Copies that belong to a command that has not been accepted yet.
    let held = Locked<Set<String>>([])
    /// Copies that have a second name in the recovery folder by now.
    let recoveryPlaces = Locked<[LocalCopy: LocalPath]>([:])
    let clock: @Sendable () -> FileTime

    /// The result of replacing a damaged database: it was set aside, and the server fills a new, empty one.
    public struct Rebuild: Sendable, Hashable, CustomStringConvertible {
        /// Where the damaged database is now.
        public var database: LocalPath
        /// Where all copies of the vault are now, unsent edits among them; `nil` if there were none.
        public var copies: LocalPath?

        /// What has happened and where everything is, for display.
        public var description: String {
            "the database was damaged and is now \(database); "
                + (copies.map { "every copy that the vault held is in \($0)" } ?? "the vault held no copies")
                + "; pins, rules, and what waited to be sent without contents (folders, moves, removals) are lost"
        }
    }

    /// Opens the vault of `bookmark` in `parent`, and creates it if necessary.
    ///
    /// What an interrupted ``erase()`` left is removed. A damaged database is set aside; see ``rebuild``. An issue
    /// reports that as well. If the database has been replaced by an older one, copies that it does not know, which may
    /// be edits, go to the recovery folder (``recovered``), and an issue says so.
    ///
    /// - Parameters:
    ///   - bookmark: the bookmark that the vault belongs to.
    ///   - parent: the folder that holds vaults; created with mode 0700 if necessary. Not inside the storage that the
    ///     vault keeps: it would keep its own copies.
    ///   - clock: returns the current time.
    /// - Throws: `CocoaError(.fileLocking)` when the vault is open already; `.fileReadUnknown` when a later version of
    ///   this package has written it; `.fileReadInvalidFileName` for a path that is not UTF-8; what the file system
    ///   refuses.
    public init(
        of bookmark: Bookmark, in parent: LocalPath, clock: @escaping @Sendable () -> FileTime = { FileTime(Date()) }
    ) throws {
        self.bookmark = bookmark
        self.clock = clock
        folder = Self.folder(of: bookmark.id, in: parent)
        try Self.finishErasing(bookmark.id, in: parent)
        lock = try VaultLock(folder: folder)
        try PrivateFile.createFolder(Self.transfers(of: folder))
        // What was being added when a program ended is of no use to anyone.
        try Folder.remove(Self.incoming(of: folder))
        let file = folder.appending("database.sqlite")
        let isOlder: Bool
        do {
            if try Self.isLost(file, of: folder) { throw CocoaError(.fileReadCorruptFile) }
            (database, isOlder) = try Self.openDatabase(file, clock)
            rebuild = nil
        } catch let error as CocoaError where error.code == .fileReadCorruptFile {
            let rebuild = try Self.setAside(file, of: folder, at: clock())
            database = try Database(file: file, clock: clock)
            try database.writeNow { try $0.raise(Issue.ID(.databaseRebuilt), rebuild.description) }
            // Not before it has been reported.
            try PrivateFile.remove(Database.damageMark(of: file))
            self.rebuild = rebuild
            isOlder = false
        }
        if isOlder { try rescueFromOlderDatabase() }
    }

    /// Opens an existing or new database, and returns also whether it is older than the one that was flushed last.
    private static func openDatabase(
        _ file: LocalPath, _ clock: @escaping @Sendable () -> FileTime
    ) throws -> (Database, isOlder: Bool) {
        let database = try Database(file: file, clock: clock)
        do { return (database, try database.hasGoneBack()) } catch {
            try? database.close()
            throw error
        }
    }

    /// Returns whether a bookmark has a vault in `parent`.
    public static func exists(for id: Bookmark.ID, in parent: LocalPath) -> Bool {
        Folder.exists(folder(of: id, in: parent))
    }

    /// The folder of edits that have no place on the server, and of the copies that existed when a database had to be
    /// rebuilt; `nil` if there are none. The vault does not use them: move them wherever they are wanted.
    public var recovered: LocalPath? {
        get throws {
            let folder = Self.recovery(of: folder)
            return try folder.entryNames().isEmpty ? nil : folder
        }
    }

    /// Closes the database. After that the vault can be opened again.
    public func close() throws {
        try database.close()
        lock.release()
    }

    /// Closes the vault and removes everything in it, including copies with unsent edits, and what is ``recovered``.
    ///
    /// The folder is renamed first: a crash in between leaves no partial vault, and the next opening finishes the work.
    public func erase() throws {
        try? database.close()  // Whatever it says: the folder goes.
        try Self.erase(folder)
    }

    /// Removes a bookmark's vault that is not open, even one that cannot be opened because its disk is full or a later
    /// version of the program has written it. Finishes an interrupted removal.
    ///
    /// - Returns: whether there was anything to remove.
    /// - Throws: `CocoaError(.fileLocking)` when the vault is open.
    @discardableResult
    public static func erase(_ id: Bookmark.ID, in parent: LocalPath) throws -> Bool {
        let hasFinished = try finishErasing(id, in: parent)
        guard exists(for: id, in: parent) else { return hasFinished }
        let folder = folder(of: id, in: parent)
        let lock = try VaultLock(folder: folder)
        defer { lock.release() }
        try erase(folder)
        return true
    }

    private static func erase(_ folder: LocalPath) throws {
        let aside = LocalPath(bytes: folder.bytes + erasedMark + Array(UUID().uuidString.utf8))
        try Folder.rename(folder, to: aside)
        try Folder.remove(aside)
    }

    // MARK: Folders

    private static let erasedMark = Array(".erased-".utf8)

    private static func folder(of id: UUID, in parent: LocalPath) -> LocalPath { parent.appending(id.uuidString.utf8) }

    /// Finishes the removal of a bookmark's vault that was interrupted; a vault that is in use stays.
    ///
    /// - Returns: whether there was anything to finish.
    @discardableResult
    public static func finishErasing(_ id: UUID, in parent: LocalPath) throws -> Bool {
        let prefix = Array(id.uuidString.utf8) + erasedMark
        let erased = try parent.entryNames().filter { $0.bytes.starts(with: prefix) }
        for name in erased { try Folder.remove(parent.appending(name.bytes)) }
        return !erased.isEmpty
    }

    static func copies(of folder: LocalPath) -> LocalPath { folder.appending("copies") }

    static func incoming(of folder: LocalPath) -> LocalPath { folder.appending("incoming") }

    static func transfers(of folder: LocalPath) -> LocalPath { folder.appending("transfers") }

    static func recovery(of folder: LocalPath) -> LocalPath { folder.appending("recovery") }

    /// Returns whether damage was met while the database was in use, or the database is gone while there are copies,
    /// which would then be mistaken for those of other items.
    private static func isLost(_ file: LocalPath, of folder: LocalPath) throws -> Bool {
        if Folder.exists(Database.damageMark(of: file)) { return true }
        let isEmpty = try Folder.exists(file) ? LocalFileHandle(reading: file).size() == 0 : true
        return isEmpty && Folder.exists(copies(of: folder))
    }

    /// Moves a damaged database out of the way, along with the copies, which nothing can tell apart any more. Finishes
    /// an interrupted attempt: what has been moved already stays where it was moved to.
    private static func setAside(_ file: LocalPath, of folder: LocalPath, at time: FileTime) throws -> Rebuild {
        let mark = Database.damageMark(of: file)
        let isAgain = Folder.exists(mark)
        try PrivateFile.replace(mark, with: Data())
        let damage = folder.appending("damaged")
        let parts = ["", "-wal", "-shm"].filter { Folder.exists(LocalPath(bytes: file.bytes + Array($0.utf8))) }
        let earlier = isAgain && parts.isEmpty ? try latestFolder(in: damage) : nil
        let damaged = try earlier ?? freshFolder(in: damage, at: time)
        for suffix in parts {
            let part = LocalPath(bytes: file.bytes + Array(suffix.utf8))
            try Folder.rename(part, to: damaged.appending(Array("database.sqlite".utf8) + Array(suffix.utf8)))
        }
        try FlushMark(of: file).remove()
        let (copies, recovery) = (copies(of: folder), recovery(of: folder))
        guard Folder.exists(copies) else {
            let rescued = isAgain ? try latestFolder(in: recovery, holding: "copies") : nil
            return Rebuild(database: damaged, copies: rescued?.appending("copies"))
        }
        let rescued = try freshFolder(in: recovery, at: time).appending("copies")
        try Folder.rename(copies, to: rescued)
        return Rebuild(database: damaged, copies: rescued)
    }

    /// Returns the folder named after the latest time, among those that hold an entry of this name if one is given.
    private static func latestFolder(in parent: LocalPath, holding entry: String? = nil) throws -> LocalPath? {
        try parent.entryNames().map { parent.appending($0.bytes) }
            .filter { folder in entry.map { Folder.exists(folder.appending($0.utf8)) } ?? true }
            .max { $0.bytes.lexicographicallyPrecedes($1.bytes) }
    }

    /// Returns a new folder named after the time, with a number if one of that name exists.
    static func freshFolder(in parent: LocalPath, at time: FileTime) throws -> LocalPath {
        let stamp = Date(timeIntervalSince1970: Double(time.seconds)).ISO8601Format().replacing(":", with: "")
        var (name, number) = (stamp, 1)
        while Folder.exists(parent.appending(name.utf8)) {
            number += 1
            name = "\(stamp) \(number)"
        }
        let folder = parent.appending(name.utf8)
        try PrivateFile.createFolder(folder)
        return folder
    }
}
