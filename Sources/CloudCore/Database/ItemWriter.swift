import FileProviding
import Foundation
import GRDB

/// Changes items within one transaction: each change raises the item's revision and, once per transaction, the anchor.
package final class ItemWriter {
    /// The same transaction, for reading.
    package let reader: ItemReader
    let database: GRDB.Database
    let now: FileTime
    /// Whether a listing is in progress, which may have begun before what is changed here.
    let isListing: Bool
    /// What decides whether claims hold.
    let circumstances: Claim.Circumstances
    private let revisionBefore: Int64
    private var hasChanges = false
    private var hasOtherNews = false
    private var recounted: Set<LocalID> = []
    /// By how many entries directories have grown: counting all of a large one for each new entry takes milliseconds.
    private var growth: [LocalID: Int] = [:]
    /// The directories that have jobs of the highest priority from this transaction.
    var jobsAdded: Set<LocalID> = []
    /// Whether places that commands changed on the server were recorded.
    var hasSettledPlaces = false
    /// Whether commands were added.
    var hasNewRecords = false

    /// Requests that the entries of a directory be counted before the transaction ends.
    func recountLater(_ directory: LocalID) { recounted.insert(directory) }

    init(_ database: GRDB.Database, isListing: Bool, _ circumstances: Claim.Circumstances) throws {
        self.database = database
        now = circumstances.now
        self.isListing = isListing
        self.circumstances = circumstances
        reader = ItemReader(database)
        revisionBefore = try reader.counter("revision")
    }

    /// Returns the revision of this transaction's changes.
    func nextRevision() -> Int64 {
        hasChanges = true
        return revisionBefore + 1
    }

    /// Announces this transaction to observers even if no item has changed.
    func announce() { hasOtherNews = true }

    /// Updates counts, and raises the anchor if an item has changed; returns `nil` when there is nothing to announce.
    func finish() throws -> SyncAnchor? {
        for directory in recounted { try recount(directory) }
        for (directory, count) in growth where count != 0 && !recounted.contains(directory) {
            try grow(directory, by: count)
        }
        guard hasChanges else { return hasOtherNews ? try reader.anchor() : nil }
        try setCounter("revision", revisionBefore + 1)
        return try reader.anchor()
    }

    // MARK: Items

    /// Adds an item. The caller has to know that its name is free.
    ///
    /// - Parameters:
    ///   - name: its exact name.
    ///   - directory: its directory.
    ///   - version: what the server reported about it, or will be sent.
    ///   - childrenCount: the reported number of entries of a directory.
    ///   - isOnServer: `false` for a placeholder of what is still to be sent.
    @discardableResult
    package func insert(
        _ name: ItemName, in directory: LocalID, _ version: ServerVersion, childrenCount: Int? = nil, isOnServer: Bool
    ) throws -> LocalID {
        let (text, bytes) = ItemRow.columns(of: name)
        try execute(
            Self.insertion,
            [
                directory.rawValue, text, bytes, NaturalSortKey.key(for: name), text.folded(.caseInsensitive),
                childrenCount, isOnServer, nextRevision(),
            ] + ItemRow.arguments(version))
        growth[directory, default: 0] += 1
        return LocalID(rawValue: database.lastInsertedRowID)
    }

    /// Stores what the server reports about an item. An item with unsent changes keeps its own version, and the
    /// server's is stored next to it if it differs from the one that the changes began with.
    package func update(_ item: Item, to version: ServerVersion, childrenCount: Int? = nil) throws {
        if item.cloudStatus == .locallyModified {
            let isBase = try reader.copyVersion(of: item.localID)?.isSameVersion(as: version) ?? false
            return try setNewerVersion(of: item, to: isBase ? nil : version)
        }
        try execute(
            Self.versionUpdate,
            ItemRow.arguments(version) + [childrenCount, nextRevision(), item.localID.rawValue])
    }

    /// Stores another tag for the known version, which is no change of the item.
    func setTag(of id: LocalID, _ etag: ETag?) throws {
        try execute("UPDATE items SET etag = ? WHERE localID = ?", [etag?.rawValue, id.rawValue])
    }

    /// Sets the modification time that an item shows.
    func setModificationTime(of id: LocalID, _ time: FileTime?) throws {
        try execute(
            "UPDATE items SET modified = ?, revision = ? WHERE localID = ?",
            [time?.nanoseconds, nextRevision(), id.rawValue])
    }

    /// Stores the version that the server has next to local work, or next to what is kept until an issue is answered.
    func setNewerVersion(of item: Item, to version: ServerVersion?) throws {
        guard version != item.newerVersion else { return }
        try execute(
            "UPDATE items SET newerVersion = ?, revision = ? WHERE localID = ?",
            [try version.map(ItemRow.encoded), nextRevision(), item.localID.rawValue])
    }

    /// Gives an item another name or directory; everything below it moves along without being touched.
    package func move(_ id: LocalID, to name: ItemName, in directory: LocalID) throws {
        guard let item = try reader.item(id) else { throw FileError.noSuchFile("item \(id)") }
        try uncover(item)
        let (text, bytes) = ItemRow.columns(of: name)
        try execute(
            """
            UPDATE items SET parentID = ?, name = ?, nameBytes = ?, sortKey = ?, foldedName = ?, removedAt = NULL,
            isMissing = 0, revision = ? WHERE localID = ?
            """,
            [
                directory.rawValue, text, bytes, NaturalSortKey.key(for: name), text.folded(.caseInsensitive),
                nextRevision(), id.rawValue,
            ])
        if let parent = item.parentID { recounted.insert(parent) }
        recounted.insert(directory)
        if item.isDirectory {
            reader.forgetDirectories()
            try execute("UPDATE counters SET value = value + 1 WHERE name = 'directoryMoves'", [])
        }
    }

    /// Adds a listing of the directory in which the server may have another item under a name that is given up locally.
    func uncover(_ item: Item) throws {
        guard let parent = item.parentID, !item.isRemoved else { return }
        if try item.newerVersion != nil || reader.isElsewhere(item.localID) { try addJob(parent, .scan) }
    }

    /// Turns an item and everything below it into tombstones, and returns which items those are.
    @discardableResult
    package func remove(_ id: LocalID) throws -> [LocalID] {
        precondition(id != .root)
        if let item = try reader.item(id) {
            try uncover(item)
            if let parent = item.parentID, !item.isRemoved { growth[parent, default: 0] -= 1 }
        }
        let ids = try Int64.fetchAll(database, sql: Self.below, arguments: [id.rawValue])
        let statement = try database.cachedStatement(
            sql: """
                UPDATE items SET removedAt = ?, revision = ?, isMissing = 0,
                isSeenInside = isSeenInside OR NOT isOnServer OR localID IN (SELECT directoryID FROM listings)
                WHERE localID = ?
                """)
        for row in ids { try statement.execute(arguments: [now.nanoseconds, nextRevision(), row]) }
        reader.forgetDirectories()
        for row in ids { try forgetListing(of: LocalID(rawValue: row)) }
        return ids.map(LocalID.init(rawValue:))
    }

    // MARK: Tombstones

    /// Forgets tombstones from before `time`, and those below them whatever their time: a clock may have jumped back.
    /// Tombstones of items that are still to be removed from the server stay, and so do those that commands refer to.
    /// For anchors from before them, the answer is "start over" from now on.
    func forgetTombstones(before time: FileTime) throws {
        let isDone = "removedAt IS NOT NULL AND localID NOT IN (\(Self.needed))"
        try forgetTombstones("\(isDone) AND removedAt < ?", [time.nanoseconds])
        while try forgetTombstones("\(isDone) AND parentID NOT IN (SELECT localID FROM items)", []) {}
    }

    /// Forgets tombstones that meet a condition; returns whether there were any.
    @discardableResult
    private func forgetTombstones(_ condition: String, _ arguments: StatementArguments) throws -> Bool {
        let last = try Int64.fetchOne(
            database, sql: "SELECT max(revision) FROM items WHERE \(condition)", arguments: arguments)
        guard let last else { return false }
        try database.execute(sql: "DELETE FROM items WHERE \(condition)", arguments: arguments)
        try setCounter("forgotten", max(last, reader.counter("forgotten")))
        return true
    }

    /// Invalidates all anchors of so far.
    func startNewHistory() throws { try setCounter("generation", Int64.random(in: 1...Int64.max)) }

    // MARK: Statements

    func execute(_ sql: String, _ arguments: SQLArguments) throws { try database.run(sql, arguments) }

    func execute(_ statement: FrequentStatement, _ arguments: SQLArguments) throws {
        try reader.forEachRow(of: statement, arguments) { _ in }
    }

    private func setCounter(_ name: String, _ value: Int64) throws {
        try execute("UPDATE counters SET value = ? WHERE name = ?", [value, name])
    }

    /// Changes the number of entries of a directory that has been listed.
    private func grow(_ directory: LocalID, by count: Int) throws {
        try execute(Self.growing, [count, revisionBefore + 1, directory.rawValue])
        if database.changesCount > 0 { hasChanges = true }
    }

    private static let growing = FrequentStatement(
        """
        UPDATE items SET childrenCount = childrenCount + ?, revision = ? \
        WHERE localID = ? AND childrenCount IS NOT NULL AND localID IN (SELECT directoryID FROM listings)
        """)

    /// Counts the entries of a directory that has been listed.
    private func recount(_ directory: LocalID) throws {
        let count = try Int.fetchOne(
            database.cachedStatement(sql: "SELECT count(*) FROM items WHERE parentID = ? AND removedAt IS NULL"),
            arguments: [directory.rawValue])
        try execute(
            """
            UPDATE items SET childrenCount = ?1, revision = ?2
            WHERE localID = ?3 AND childrenCount IS NOT ?1 AND localID IN (SELECT directoryID FROM listings)
            """, [count, revisionBefore + 1, directory.rawValue])
        if database.changesCount > 0 { hasChanges = true }
    }

    private static let insertion = FrequentStatement(
        """
        INSERT INTO items (parentID, name, nameBytes, sortKey, foldedName, childrenCount, isOnServer, revision, \
        \(ItemRow.versionColumns.joined(separator: ", "))) \
        VALUES (\(Array(repeating: "?", count: 8 + ItemRow.versionColumns.count).joined(separator: ", ")))
        """)

    private static let versionAssignments = """
        \(ItemRow.versionColumns.map { "\($0) = ?" }.joined(separator: ", ")), \
        childrenCount = CASE WHEN localID IN (SELECT directoryID FROM listings) THEN childrenCount ELSE ? END, \
        isOnServer = 1, newerVersion = NULL, revision = ?
        """

    static let versionUpdate = FrequentStatement("UPDATE items SET \(versionAssignments) WHERE localID = ?")

    static let sentUpdate = FrequentStatement(
        """
        UPDATE items SET \(versionAssignments), \(ItemRow.copyAssignments), usedAt = ?, isModified = 0 \
        WHERE localID = ? AND copyID = ? AND copyName = ?
        """)

    /// The items that commands are about or refer to, that are claimed, or that the server has elsewhere, with the
    /// directories above them; and what is below a directory that is still to be removed from the server.
    private static let needed = """
        WITH RECURSIVE removed(id) AS (
            SELECT itemID FROM syncRecords WHERE kind = 'delete'
            UNION SELECT localID FROM items JOIN removed ON parentID = id WHERE removedAt IS NOT NULL
        ), needed(id) AS (
            SELECT id FROM removed UNION SELECT itemID FROM serverPlaces UNION SELECT parentID FROM serverPlaces
            UNION SELECT itemID FROM syncRecords UNION SELECT sourceID FROM syncRecords
            UNION SELECT oldParentID FROM syncRecords UNION SELECT newParentID FROM syncRecords
            UNION SELECT itemID FROM claims
            UNION SELECT parentID FROM items JOIN needed ON localID = id
        ) SELECT id FROM needed WHERE id IS NOT NULL
        """

    private static let below = """
        WITH RECURSIVE below(id) AS (
            VALUES (?) UNION ALL
            SELECT localID FROM items JOIN below ON parentID = id WHERE removedAt IS NULL
        ) SELECT id FROM below
        """
}
