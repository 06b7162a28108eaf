import FileProviding
import GRDB

/// The column of a query's key in the table.
struct SQLColumn {
    enum Kind { case text, number, bool, date }

    /// An expression over the columns of `items`.
    let sql: String
    let kind: Kind
    /// The column with the case-folded text, if there is one.
    var folded: String? { sql == "name" ? "foldedName" : nil }

    private init(_ sql: String, _ kind: Kind) {
        self.sql = sql
        self.kind = kind
    }

    /// Creates the column of a key; `nil` for what a vault does not store.
    init?(_ key: FileQuery.Key) {
        switch key {
        case .name: self.init("name", .text)
        case .path: self.init(Self.path, .text)
        case .type: self.init("type", .text)
        case .eTag: self.init("etag", .text)
        case .mimeType: self.init("contentType", .text)
        case .id: self.init("fileID", .text)
        case .owner: self.init("owner", .text)
        case .fileSize: self.init("size", .number)
        case .childrenCount: self.init("childrenCount", .number)
        case .width: self.init("width", .number)
        case .height: self.init("height", .number)
        case .creationDate: self.init(Self.date("created"), .date)
        case .modifiedDate: self.init(Self.date("modified"), .date)
        case .isHidden: self.init("isHidden", .bool)
        case .isReadOnly: self.init("isReadOnly", .bool)
        case .isWritable: self.init("(NOT isReadOnly)", .bool)
        case .isDirectory: self.init("(type = 'directory')", .bool)
        case .isRegularFile: self.init("(type = 'regular')", .bool)
        case .isSymLink: self.init("(type = 'symbolicLink')", .bool)
        case .url, .accessDate, .custom: return nil
        }
    }

    /// Returns the value to compare this column with, or `nil` for a value of another type. "Not a number" becomes
    /// NULL, which like it has no order.
    func operand(for value: FileQuery.Value) -> (any DatabaseValueConvertible)? {
        switch (kind, value) {
        case (.number, .integer(let number)): number
        case (.number, .decimal(let number)): number
        case (.bool, .bool(let flag)): flag
        case (.date, .date(let date)): date.timeIntervalSinceReferenceDate
        default: nil
        }
    }

    /// Returns seconds as `Date` counts them, computed as `FileTime.date` does.
    private static func date(_ column: String) -> String { "(\(column) / 1e9 - 978307200.0)" }

    /// The path's text, assembled on the way up to the root.
    private static let path = """
        CASE WHEN items.parentID IS NULL THEN '/' ELSE (
            WITH RECURSIVE up(id, tail) AS (
                SELECT items.parentID, '/' || items.name
                UNION ALL
                SELECT parent.parentID, '/' || parent.name || tail
                FROM up JOIN items parent ON parent.localID = up.id WHERE up.id <> 1
            ) SELECT tail FROM up WHERE id = 1
        ) END
        """
}
