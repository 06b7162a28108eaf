import GRDB

extension ItemReader {
    /// Directories that are to be looked at and have not been removed here.
    private static let awaited =
        "SELECT directoryID FROM updateJobs JOIN items ON localID = directoryID WHERE removedAt IS NULL"

    private static let unlisted = """
        SELECT count(*) FROM (\(awaited) UNION SELECT ?1)
        WHERE directoryID NOT IN (SELECT directoryID FROM listings)
        """

    private static let outdated = """
        SELECT count(DISTINCT directoryID) FROM (\(awaited)) WHERE directoryID IN (SELECT directoryID FROM listings)
        """

    /// Counts the vault's contents.
    package func summary() throws -> VaultSummary {
        let download = SyncRecord.Kind.download.rawValue
        let row = try Row.fetchOne(
            database,
            sql: """
                SELECT count(*), count(copyName), count(CASE WHEN isModified OR NOT isOnServer
                    OR localID IN (SELECT itemID FROM syncRecords WHERE kind <> ?) THEN 1 END)
                FROM items WHERE removedAt IS NULL AND parentID IS NOT NULL
                """,
            arguments: [download])
        let removals = try Int.fetchOne(
            database,
            sql: """
                SELECT count(DISTINCT itemID) FROM syncRecords JOIN items ON localID = itemID
                WHERE kind <> ? AND removedAt IS NOT NULL
                """,
            arguments: [download])
        var summary = VaultSummary()
        summary.items = row?[0] ?? 0
        summary.copies = row?[1] ?? 0
        summary.unsent = (row?[2] ?? 0) + (removals ?? 0)
        summary.unlisted = try Int.fetchOne(database, sql: Self.unlisted, arguments: [LocalID.root.rawValue]) ?? 0
        summary.outdated = try Int.fetchOne(database, sql: Self.outdated) ?? 0
        return summary
    }
}
