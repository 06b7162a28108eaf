import FileProviding
import Foundation
import GRDB
import Glibc

/// What a vault knows about its items: one SQLite file in WAL mode, and the only place with SQL.
///
/// Readers never wait for the writer. Every transaction that changes items raises the anchor, once, and notifies its
/// observers after its commit.
package final class Database: Sendable {
    private let pool: any DatabaseWriter
    private let file: LocalPath
    private let clock: @Sendable () -> FileTime
    private let isClosed = Locked(false)
    private let commits = CommitObserver()
    private let flushMark: FlushMark
    /// The number of pages that the write-ahead log may have before they are copied into the file, for which
    /// transactions wait: 16 MiB. This is four times SQLite's own limit, so that pages which change again and again are
    /// copied only once.
    private static let longestLog = 4000
    /// The number of listings in progress.
    private let listings = Locked(0)
    /// Whether there may be records of places that commands changed during a listing.
    private let hasSettledPlaces = Locked(false)
    /// The cores that have this database open; their claims hold.
    let cores = Locked<Set<UUID>>([])

    /// Opens the file, creates it if necessary, and migrates an earlier version's tables.
    ///
    /// - Parameters:
    ///   - file: the database; its `-wal` and `-shm` are next to it.
    ///   - clock: returns the time for tombstones.
    ///   - target: the migration to stop after; all of them by default.
    /// - Throws: `CocoaError(.fileReadCorruptFile)` when the file is damaged or not a database, and `.fileReadUnknown`
    ///   when a later version of the program has written it; the file is left as it is.
    package init(
        file: LocalPath, clock: @escaping @Sendable () -> FileTime = { FileTime(Date()) }, upTo target: String? = nil
    ) throws {
        self.file = file
        self.clock = clock
        flushMark = FlushMark(of: file)
        guard let path = String(validating: file.bytes, as: UTF8.self) else {
            throw cocoaError(file, code: .fileReadInvalidFileName, reason: "SQLite needs a path in UTF-8")
        }
        var configuration = Configuration()
        configuration.label = "CloudCore.Database"
        configuration.maximumReaderCount = 3
        configuration.busyMode = .timeout(10)
        configuration.prepareDatabase {
            try SQLFunctions.register(in: $0)
            try $0.execute(sql: "PRAGMA wal_autocheckpoint = \(Self.longestLog)")
        }
        pool = try Self.describing(file) {
            let pool = try Self.connect(to: path, configuration)
            if try pool.read(Migrations.all.hasBeenSuperseded) {
                throw cocoaError(file, code: .fileReadUnknown, reason: "a later version of this program has written it")
            }
            if let target { try Migrations.all.migrate(pool, upTo: target) } else { try Migrations.all.migrate(pool) }
            return pool
        }
        pool.add(transactionObserver: commits)
    }

    /// Connects to the file: with several connections, or with a single one on a full disk, which has no room for what
    /// several share (`-shm`). Where its blocks are smaller than pages, SQLite does not even notice, and the process
    /// would be killed (SIGBUS). Until the next opening, readers then wait for the writer.
    private static func connect(to path: String, _ configuration: Configuration) throws -> any DatabaseWriter {
        do {
            if hasRoom(at: path) { return try DatabasePool(path: path, configuration: configuration) }
        } catch let error as DatabaseError where DatabaseFailure.isLackOfSpace(error) {}
        var alone = configuration
        alone.prepareDatabase { try $0.execute(sql: "PRAGMA locking_mode = EXCLUSIVE") }
        return try DatabaseQueue(path: path, configuration: alone)
    }

    /// Returns whether the disk of an existing file has room for what connections share, and for a new log. A new file
    /// needs room in any case.
    private static func hasRoom(at path: String) -> Bool {
        var numbers = statvfs()
        guard statvfs(path, &numbers) == 0 else { return true }
        return numbers.f_blocks == 0 || numbers.f_bavail * numbers.f_frsize > 256 << 10
    }

    /// Writes everything into the one file and ends all connections; any later use is an error, except closing again.
    package func close() throws {
        let wasClosed = isClosed.withLock { isClosed in
            defer { isClosed = true }
            return isClosed
        }
        if wasClosed { return }
        try Self.describing(file) {
            // On a full disk the write-ahead log stays, which loses nothing.
            try? pool.writeWithoutTransaction { _ = try $0.checkpoint(.truncate) }
            try pool.close()
        }
    }

    /// Calls `tell` after each commit that changed items or issues, on the writer's queue: it must be quick, and must
    /// not use the database.
    ///
    /// - Returns: the identifier of the observer; see ``stopObserving(_:)``.
    package func onChange(_ tell: @escaping @Sendable (SyncAnchor) -> Void) -> UUID { commits.add(tell) }

    /// Removes an observer.
    func stopObserving(_ id: UUID) { commits.remove(id) }

    /// Runs a listing, from before the known state is read until the result has been merged: places that commands
    /// change on the server in the meantime are recorded, so that they can be distinguished from what the listing says.
    func whileListing<Result>(_ list: () async throws -> Result) async rethrows -> Result {
        listings.withLock { $0 += 1 }
        defer { listings.withLock { $0 -= 1 } }
        return try await list()
    }

    /// Reads one consistent state.
    package func read<Result: Sendable>(
        _ look: @escaping @Sendable (ItemReader) throws -> Result
    ) async throws -> Result {
        do {
            return try await pool.read { try look(ItemReader($0)) }
        } catch { throw meaning(of: error) }
    }

    /// Changes items in one transaction, which is rolled back when `change` throws.
    @discardableResult
    package func write<Result: Sendable>(
        _ change: @escaping @Sendable (ItemWriter) throws -> Result
    ) async throws -> Result {
        let now = clock()
        do {
            return try await pool.write { try self.perform(change, in: $0, at: now) }
        } catch { throw meaning(of: error) }
    }

    /// Does the same for callers that cannot wait asynchronously: blocks the thread.
    func writeNow<Result>(_ change: (ItemWriter) throws -> Result) throws -> Result {
        let now = clock()
        do {
            return try pool.write { try perform(change, in: $0, at: now) }
        } catch { throw meaning(of: error) }
    }

    /// Returns what decides whether claims hold.
    func circumstances(at now: FileTime) -> Claim.Circumstances {
        Claim.Circumstances(now: now, cores: cores.withLock { $0 })
    }

    private func perform<Result>(
        _ change: (ItemWriter) throws -> Result, in database: GRDB.Database, at now: FileTime
    ) throws -> Result {
        let writer = try ItemWriter(
            database, isListing: listings.withLock { $0 > 0 }, circumstances(at: now))
        let result = try change(writer)
        if writer.hasSettledPlaces { hasSettledPlaces.withLock { $0 = true } }
        if !writer.isListing, hasSettledPlaces.withLock({ $0 }) {
            try writer.forgetSettledPlaces()
            hasSettledPlaces.withLock { $0 = false }
        }
        if let anchor = try writer.finish() { commits.announce(anchor) }
        return result
    }

    /// Flushes all commits to the medium, which SQLite does not do after each commit: what a caller has been told is
    /// stored must survive a loss of power.
    package func flush() throws {
        let log = LocalPath(bytes: file.bytes + Array("-wal".utf8))
        let committed = commits.latest
        let handle: LocalFileHandle
        do { handle = try LocalFileHandle(reading: log) } catch  where error.isNoSuchFile { return }
        guard fdatasync(handle.descriptor) == 0 else { throw posixError(log, errno, writing: true) }
        if let committed { try flushMark.set(committed) }
    }

    /// Returns whether this is not the database that was last flushed here, or not any more: an older one.
    ///
    /// - Throws: `CocoaError(.fileReadCorruptFile)` when it turns out to be damaged.
    func hasGoneBack() throws -> Bool {
        guard let mark = try flushMark.read() else { return false }
        let now: SyncAnchor
        do { now = try pool.read { try ItemReader($0).anchor() } } catch { throw meaning(of: error) }
        return mark.generation != now.generation || mark.count > now.count
    }

    // MARK: Failures

    /// Returns the file next to the database that marks it as damaged, if damage was met while it was in use.
    static func damageMark(of file: LocalPath) -> LocalPath {
        LocalPath(bytes: file.bytes + Array(".damaged".utf8))
    }

    /// Returns the error that a transaction's error means to callers that know no SQL.
    func meaning(of error: any Error) -> any Error {
        guard let error = error as? DatabaseError else { return error }
        // SQLite itself would speak of memory.
        if isClosed.withLock({ $0 }) {
            return cocoaError(file, code: .fileReadUnknown, reason: "the vault has been closed", underlying: error)
        }
        let meaning = DatabaseFailure.meaning(of: error, file)
        if (meaning as? CocoaError)?.code == .fileReadCorruptFile {
            // Without the mark, the same page would fail again after the next opening.
            try? PrivateFile.replace(Self.damageMark(of: file), with: Data())
        }
        return meaning
    }

    private static func describing<Result>(_ file: LocalPath, _ work: () throws -> Result) throws -> Result {
        do { return try work() } catch let error as DatabaseError { throw DatabaseFailure.meaning(of: error, file) }
    }
}
