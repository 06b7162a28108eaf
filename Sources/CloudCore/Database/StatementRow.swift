import FileProviding
import GRDB
import GRDBSQLite

/// The current row of a statement, read directly from SQLite: a listing of a hundred thousand items spends its time
/// here. Valid until the statement's next step.
struct StatementRow {
    private let statement: OpaquePointer

    init(_ statement: OpaquePointer) { self.statement = statement }

    /// Returns whether a column has no value.
    func isNull(_ column: Int32) -> Bool { sqlite3_column_type(statement, column) == SQLITE_NULL }

    /// Returns a number, 0 for none.
    func integer(_ column: Int32) -> Int64 { sqlite3_column_int64(statement, column) }

    /// Returns a number or nothing.
    func integerOrNil(_ column: Int32) -> Int64? { isNull(column) ? nil : integer(column) }

    /// Returns a flag, `false` for nothing.
    func flag(_ column: Int32) -> Bool { integer(column) != 0 }

    /// Returns a text or nothing; bytes that are not UTF-8 become U+FFFD.
    func text(_ column: Int32) -> String? { withText(column) { $0.map { String(decoding: $0, as: UTF8.self) } } }

    /// Passes a text's bytes to a closure, without the terminating zero; `nil` for nothing.
    func withText<Result>(_ column: Int32, _ look: (UnsafeBufferPointer<UInt8>?) throws -> Result) rethrows -> Result {
        guard let start = sqlite3_column_text(statement, column) else { return try look(nil) }
        return try look(UnsafeBufferPointer(start: start, count: Int(sqlite3_column_bytes(statement, column))))
    }

    /// Returns the bytes of a blob, none for nothing.
    func blob(_ column: Int32) -> [UInt8] {
        let count = Int(sqlite3_column_bytes(statement, column))
        guard count > 0, let start = sqlite3_column_blob(statement, column) else { return [] }
        return Array(UnsafeRawBufferPointer(start: start, count: count))
    }

    /// Returns a name, from a text and, if it is not UTF-8, its bytes in another column.
    func name(_ column: Int32, exactly bytesColumn: Int32) -> ItemName {
        let bytes = blob(bytesColumn)
        return ItemName(unchecked: bytes.isEmpty ? withText(column) { $0.map { Array($0) } ?? [] } : bytes)
    }

    /// Returns a version from three columns; `nil` if they are empty.
    func fileVersion(_ first: Int32) -> FileVersion? {
        let version = FileVersion(
            etag: text(first).map(ETag.init(rawValue:)), size: integerOrNil(first + 1),
            modificationTime: integerOrNil(first + 2).map(FileTime.init(nanoseconds:)))
        return version == FileVersion() ? nil : version
    }
}

/// A text that most rows have in common: a row with the same text as the previous row shares its string.
struct RepeatedText {
    private var last: String?

    mutating func next(_ column: Int32, of row: StatementRow) -> String? {
        row.withText(column) { bytes in
            guard let bytes else { return nil }
            if let last, last.utf8.elementsEqual(bytes) { return last }
            last = String(decoding: bytes, as: UTF8.self)
            return last
        }
    }
}
