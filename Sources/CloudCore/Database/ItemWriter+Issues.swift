import FileProviding
import GRDB

extension ItemWriter {
    /// Raises an issue, or changes the text of an existing one to `detail`.
    package func raise(_ id: Issue.ID, _ detail: String, _ subject: Issue.Subject? = nil) throws {
        try execute(
            """
            INSERT INTO issues (kind, item, detail, raisedAt, subject) VALUES (?, ?, ?, ?, ?)
            ON CONFLICT (kind, item) DO UPDATE SET detail = excluded.detail, subject = excluded.subject
            WHERE detail <> excluded.detail OR subject IS NOT excluded.subject
            """,
            [
                id.kind.rawValue, id.item?.rawValue ?? 0, detail, now.nanoseconds, try subject.map(ItemRow.encoded),
            ])
        if database.changesCount > 0 { announce() }
    }

    /// Removes an issue that has been answered or whose cause is gone; does nothing if there is none.
    package func settle(_ id: Issue.ID) throws {
        try execute("DELETE FROM issues WHERE kind = ? AND item = ?", [id.kind.rawValue, id.item?.rawValue ?? 0])
        if database.changesCount > 0 { announce() }
    }
}

extension ItemReader {
    /// Returns the open issues, in the order in which they were raised.
    package func issues() throws -> [Issue] {
        let rows = try Row.fetchAll(
            database.cachedStatement(
                sql: "SELECT kind, item, detail, raisedAt, subject FROM issues ORDER BY raisedAt, rowid"))
        return try rows.compactMap { row in
            guard let kind = Issue.Kind(rawValue: row[0]) else { return nil }
            let item: Int64 = row[1]
            return Issue(
                id: Issue.ID(kind, about: item == 0 ? nil : LocalID(rawValue: item)), detail: row[2],
                raisedAt: FileTime(nanoseconds: row[3]), subject: try ItemRow.decoded(row[4]))
        }
    }
}
