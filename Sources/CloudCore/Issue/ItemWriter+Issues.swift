import FileProviding
import GRDB

extension ItemWriter {
    /// Raises an issue, or lets the one that there is say `detail` from now on.
    package func raise(_ id: Issue.ID, _ detail: String) throws {
        try execute(
            """
            INSERT INTO issues (kind, item, detail, raisedAt) VALUES (?, ?, ?, ?)
            ON CONFLICT (kind, item) DO UPDATE SET detail = excluded.detail WHERE detail <> excluded.detail
            """, [id.kind.rawValue, id.item?.rawValue ?? 0, detail, now.nanoseconds])
        if database.changesCount > 0 { announce() }
    }

    /// Takes an issue away that has been answered or has no reason any more; none is fine.
    package func settle(_ id: Issue.ID) throws {
        try execute("DELETE FROM issues WHERE kind = ? AND item = ?", [id.kind.rawValue, id.item?.rawValue ?? 0])
        if database.changesCount > 0 { announce() }
    }
}

extension ItemReader {
    /// The issues that are not settled, those raised first before others.
    package func issues() throws -> [Issue] {
        let rows = try Row.fetchAll(
            database.cachedStatement(sql: "SELECT kind, item, detail, raisedAt FROM issues ORDER BY raisedAt, rowid"))
        return rows.compactMap { row in
            guard let kind = Issue.Kind(rawValue: row[0]) else { return nil }
            let item: Int64 = row[1]
            return Issue(
                id: Issue.ID(kind, about: item == 0 ? nil : LocalID(rawValue: item)), detail: row[2],
                raisedAt: FileTime(nanoseconds: row[3]))
        }
    }
}
