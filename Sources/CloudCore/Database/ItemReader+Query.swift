import FileProviding
import GRDB

extension ItemReader {
    /// Passes the items of `scope` that match a condition to a closure, in the order of `sorting`, one by one as they
    /// are read from the file. Without `sorting`, or with keys that can only be sorted in memory, they come in no
    /// order.
    ///
    /// - Returns: whether they came in the requested order.
    @discardableResult
    func forEachItem(
        in scope: ItemScope, where condition: FileQuery, sorted sorting: FileObjectSorting?,
        _ take: (Item) throws -> Void
    ) throws -> Bool {
        let rendered = SQLCondition(condition)
        let matcher = rendered == nil ? condition.matcher() : nil
        let order = sorting.flatMap(Self.order)
        let sql =
            [scope.sql, rendered?.sql ?? "1"].joined(separator: " AND ") + (order.map { " ORDER BY " + $0 } ?? "")
        try forEachItem(sql, scope.arguments + (rendered?.arguments ?? [])) { item in
            if matcher?.matches(item) ?? true { try take(item) }
        }
        return order != nil
    }

    /// Returns the columns that sort as ``QuerySorting`` does, or `nil` for an order that no columns give.
    private static func order(_ sorting: FileObjectSorting) -> String? {
        // Exactly what the index by location has: names whose keys are equal differ only in ASCII letters or zeros, so
        // their texts sort as their bytes do, UTF-8 or not.
        if sorting.key == .name, sorting.ascending, !sorting.directoriesFirst { return "sortKey, name, localID" }
        let key: String
        switch sorting.key {
        case .name: key = "sortKey"
        case .size: key = "coalesce(size, 0)"
        case .modifiedDate: key = "coalesce(modified, -9223372036854775808)"
        case .creationDate: key = "coalesce(created, -9223372036854775808)"
        case .path, .extension: return nil
        }
        let name = "CASE WHEN nameBytes = x'' THEN CAST(name AS BLOB) ELSE nameBytes END, localID"
        return (sorting.directoriesFirst ? "type <> 'directory', " : "") + key + (sorting.ascending ? "" : " DESC")
            + ", " + name
    }
}

/// The scope of a query's items.
package enum ItemScope: Sendable, Hashable {
    /// The entries of this directory.
    case directory(LocalID)
    /// This item.
    case item(LocalID)
    /// Everything that has changed after this point, tombstones included.
    case since(SyncAnchor)
    /// The whole vault.
    case vault

    fileprivate var sql: String {
        switch self {
        case .directory: "parentID = ? AND removedAt IS NULL"
        case .item: "localID = ? AND removedAt IS NULL"
        case .since: "items.revision > ?"
        case .vault: "removedAt IS NULL AND parentID IS NOT NULL"
        }
    }

    fileprivate var arguments: SQLArguments {
        switch self {
        case .directory(let id), .item(let id): [id.rawValue]
        case .since(let anchor): [anchor.count]
        case .vault: []
        }
    }

    /// Returns whether the scope contains an item.
    func contains(_ item: Item) -> Bool {
        switch self {
        case .directory(let id): item.parentID == id && !item.isRemoved
        case .item(let id): item.localID == id && !item.isRemoved
        case .since(let anchor): item.revision > anchor.count
        case .vault: !item.isRemoved && item.parentID != nil
        }
    }
}
