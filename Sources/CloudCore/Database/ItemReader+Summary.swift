import GRDB

/// What a vault holds, in numbers.
public struct VaultSummary: Sendable, Hashable {
    /// How many items the vault knows, the root aside.
    public var items = 0
    /// How many of them have a copy here.
    public var copies = 0
    /// How many have changes that the server does not have yet, those that were removed here included: other contents, or a
    /// command that is not finished, unless it fetches.
    public var unsent = 0
    /// How many directories are yet to be listed.
    public var unlisted = 0
}

extension ItemReader {
    /// Counts what there is.
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
        return VaultSummary(
            items: row?[0] ?? 0, copies: row?[1] ?? 0, unsent: (row?[2] ?? 0) + (removals ?? 0),
            unlisted: try Int.fetchOne(database, sql: "SELECT count(*) FROM updateJobs") ?? 0)
    }
}
