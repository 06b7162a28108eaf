import GRDB

/// What a vault holds, in numbers.
public struct VaultSummary: Sendable, Hashable {
    /// How many items the vault knows, the root aside.
    public var items = 0
    /// How many of them have a copy here.
    public var copies = 0
    /// How many have changes that the server does not have yet.
    public var unsent = 0
    /// How many directories are yet to be listed.
    public var unlisted = 0
}

extension ItemReader {
    /// Counts what there is.
    package func summary() throws -> VaultSummary {
        let row = try Row.fetchOne(
            database,
            sql: """
                SELECT count(*), count(copyName), count(CASE WHEN isModified OR NOT isOnServer THEN 1 END)
                FROM items WHERE removedAt IS NULL AND parentID IS NOT NULL
                """)
        return VaultSummary(
            items: row?[0] ?? 0, copies: row?[1] ?? 0, unsent: row?[2] ?? 0,
            unlisted: try Int.fetchOne(database, sql: "SELECT count(*) FROM updateJobs") ?? 0)
    }
}
