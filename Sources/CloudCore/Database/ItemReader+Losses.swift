import FileProviding
import Foundation
import GRDB

/// Items that the server no longer has, or has in an older version than the known one.
extension ItemReader {
    /// Returns whether the server has shown something that is older than it was.
    func earlierState() throws -> Losses.EarlierState {
        Losses.EarlierState(rawValue: try counter("wentBack")) ?? .none
    }

    /// Returns what is gone or has gone back and has not been merged.
    func losses() throws -> Losses {
        var losses = Losses()
        for item in try itemsKeptBack() {
            guard let version = item.newerVersion else { continue }
            // Another known item that has moved here is as old as it is.
            let moved =
                try version.fileID.flatMap { try self.item(fileID: $0) }.map { !version.isReverted($0) } ?? false
            let isOlder = version.isReverted(item) && !moved
            if isOlder || item.isSameItem(as: version) {
                losses.older += 1
                if losses.olderPaths.count < 3 { losses.olderPaths.append(item.path) }
            } else {
                losses.replaced += 1
            }
        }
        guard try !losses.isEmpty || !missingItems().isEmpty else { return losses }
        let row = try Row.fetchOne(
            database,
            sql: """
                \(Self.below(Self.missing)) SELECT count(*), count(CASE WHEN NOT isModified THEN copyName END)
                FROM below JOIN items ON localID = id WHERE isOnServer
                """)
        losses.gone = row?[0] ?? 0
        losses.goneCopies = row?[1] ?? 0
        let known = "removedAt IS NULL AND isOnServer AND parentID IS NOT NULL"
        losses.unjudged = try count(
            """
            SELECT count(*) FROM items WHERE \(known)
            AND localID IN (\(Self.below(Self.doubted)) SELECT id FROM below)
            AND localID NOT IN (\(Self.below(Self.missing)) SELECT id FROM below)
            """)
        let seen = try count(
            """
            SELECT count(*) FROM items WHERE \(known)
            AND localID NOT IN (\(Self.below(Self.doubted)) SELECT id FROM below)
            AND localID NOT IN (\(Self.below(Self.missing)) SELECT id FROM below)
            AND (localID <= coalesce((SELECT value FROM counters WHERE name = '\(Self.lastKnown)'), localID)
                OR (size, modified) IN (
                    \(Self.below(Self.missing)) SELECT size, modified FROM below JOIN items ON localID = id))
            """)
        losses.known = seen + losses.gone + losses.unjudged
        losses.earlierState = try earlierState()
        return losses
    }

    /// The counter of the last item that was known when nothing was lost yet: an emptied server may get others, which
    /// are no sign that it is the same, unless one is a lost file under another name.
    static let lastKnown = "lastKnown"

    /// Returns the number of files that a directory's listing has shown.
    func filesSeen(in directory: LocalID) throws -> Int {
        try database.firstRow(
            of: """
                SELECT count(*) FROM items
                WHERE parentID = ? AND type = 'regular' AND isOnServer AND NOT isMissing AND removedAt IS NULL
                """, [directory.rawValue]
        ) { Int($0.integer(0)) } ?? 0
    }

    /// Returns the items whose server version has been held back.
    func itemsKeptBack() throws -> [Item] { try items(Self.keptBack, []) }

    /// Returns whether the server version of one of a directory's entries has been held back.
    func hasKeptBack(in directory: LocalID) throws -> Bool {
        try Row.fetchOne(
            database.cachedStatement(sql: "SELECT 1 FROM items WHERE parentID = ? AND \(Self.keptBack)"),
            arguments: [directory.rawValue]) != nil
    }

    /// Returns whether there are losses to be judged, or losses that were judged and may be settled now.
    func hasLosses() throws -> Bool {
        try earlierState() != .none || !missingItems().isEmpty || !itemsKeptBack().isEmpty || lossIssue() != nil
    }

    /// Returns whether there is anything that could displace a directory: mostly there is nothing, and then nothing
    /// else is read.
    func mayHaveDisplaced() throws -> Bool {
        try Bool.fetchOne(
            database.cachedStatement(
                sql: """
                    SELECT EXISTS (SELECT 1 FROM serverPlaces) OR EXISTS (SELECT 1 FROM items WHERE isMissing)
                    OR EXISTS (SELECT 1 FROM items WHERE newerVersion IS NOT NULL)
                    """)) ?? false
    }

    /// Returns the open issue about losses.
    func lossIssue() throws -> Issue.Kind? {
        try issues().map(\.id.kind).first(where: \.isAboutLosses)
    }

    /// Returns the copies of everything that would be lost by matching the server, and the items that they belong to.
    func copiesToLose() throws -> [(item: LocalID, copy: LocalCopy)] {
        try Row.fetchAll(
            database,
            sql: """
                \(Self.below("\(Self.missing) UNION SELECT localID FROM items WHERE \(Self.keptBack)"))
                SELECT localID, copyID, copyName FROM below JOIN items ON localID = id
                WHERE copyName IS NOT NULL AND NOT isModified AND isOnServer
                """
        ).map { row in
            (LocalID(rawValue: row[0]), LocalCopy(id: row[1], name: ItemName(unchecked: Array(row[2] as Data))))
        }
    }

    /// Returns whether the server has lost an item of which there is a copy, as far as scans have found.
    func isLost(_ item: LocalID) throws -> Bool {
        try hasLosses() && copiesToLose().contains { $0.item == item }
    }

    /// Returns the items that have a copy, among an item and everything below it.
    func itemsWithCopy(below id: LocalID) throws -> [Item] {
        try items(
            "copyName IS NOT NULL AND localID IN (\(Self.below("VALUES (?)")) SELECT id FROM below)", [id.rawValue])
    }

    private func count(_ sql: String) throws -> Int { try Int.fetchOne(database.cachedStatement(sql: sql)) ?? 0 }

    private static let keptBack = "newerVersion IS NOT NULL AND NOT isModified AND isOnServer AND removedAt IS NULL"

    private static let doubted = "SELECT itemID FROM syncRecords WHERE \(recordsInDoubt)"

    private static let missing = "SELECT localID FROM items WHERE isMissing AND removedAt IS NULL"

    /// Returns SQL for the items that `base` selects, and everything that the server has below them, or would have:
    /// where commands have moved an item locally and not yet there, it goes with the directory that it is still in.
    private static func below(_ base: String) -> String {
        """
        WITH RECURSIVE below(id) AS (
            \(base) UNION
            SELECT localID FROM items JOIN below ON parentID = id
            WHERE removedAt IS NULL AND localID NOT IN (SELECT itemID FROM serverPlaces) UNION
            SELECT itemID FROM serverPlaces JOIN below ON serverPlaces.parentID = id
                JOIN items ON localID = itemID WHERE removedAt IS NULL
        )
        """
    }
}
