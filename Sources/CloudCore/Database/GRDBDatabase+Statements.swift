import Foundation
import GRDB
import GRDBSQLite

/// The values of a statement's parameters, in order; `nil` is NULL.
typealias SQLArguments = [(any DatabaseValueConvertible)?]

/// A statement that is used for every item: one object, by which a transaction finds the prepared statement. Finding it
/// by its text costs as much as finding the row does.
final class FrequentStatement: Sendable {
    let sql: String

    init(_ sql: String) { self.sql = sql }
}

extension GRDB.Database {
    /// Passes one row after another to `take`, as they are read from the file.
    ///
    /// Steps SQLite's own statement, which GRDB prepares and keeps: its cursors, rows and bindings cost several times
    /// as much as SQLite itself for a row that is found by its key.
    func forEachRow(of sql: String, _ arguments: SQLArguments = [], _ take: (StatementRow) throws -> Void) throws {
        try forEachRow(of: cachedStatement(sql: sql), arguments, take)
    }

    /// Does the same for an existing prepared statement of this connection.
    func forEachRow(of prepared: Statement, _ arguments: SQLArguments, _ take: (StatementRow) throws -> Void) throws {
        try withExtendedLifetime(prepared) {
            let statement = prepared.sqliteStatement
            precondition(
                arguments.count == sqlite3_bind_parameter_count(statement), "\(prepared.sql): other parameters")
            defer { sqlite3_reset(statement) }
            for (index, argument) in arguments.enumerated() {
                bind(argument?.databaseValue.storage ?? .null, to: statement, at: Int32(index + 1))
            }
            while true {
                switch sqlite3_step(statement) {
                case SQLITE_ROW: try take(StatementRow(statement))
                case SQLITE_DONE: return
                case let code:
                    throw DatabaseError(
                        resultCode: ResultCode(rawValue: code),
                        message: String(cString: sqlite3_errmsg(sqliteConnection)), sql: prepared.sql)
                }
            }
        }
    }

    /// Runs a statement that returns no rows.
    func run(_ sql: String, _ arguments: SQLArguments) throws { try forEachRow(of: sql, arguments) { _ in } }

    /// Returns what `make` makes of a statement's first row, or `nil` if it has none.
    func firstRow<Result>(
        of sql: String, _ arguments: SQLArguments, _ make: (StatementRow) throws -> Result?
    ) throws -> Result? {
        var result: Result?
        try forEachRow(of: sql + " LIMIT 1", arguments) { result = try make($0) }
        return result
    }

    /// SQLite's marker for data that it has to copy.
    private static let transient = unsafeBitCast(-1, to: sqlite3_destructor_type.self)

    /// Binds a value to a statement's parameter.
    private func bind(_ value: DatabaseValue.Storage, to statement: OpaquePointer, at index: Int32) {
        switch value {
        case .null: sqlite3_bind_null(statement, index)
        case .int64(let number): sqlite3_bind_int64(statement, index, number)
        case .double(let number): sqlite3_bind_double(statement, index, number)
        case .string(var text):
            // Not as a C string: it may contain a zero byte.
            text.withUTF8 { bytes in
                _ = sqlite3_bind_text64(
                    statement, index, UnsafeRawPointer(bytes.baseAddress!).assumingMemoryBound(to: CChar.self),
                    sqlite3_uint64(bytes.count), Self.transient, UInt8(SQLITE_UTF8))
            }
        case .blob(let data):
            // Without an address it would be NULL.
            if data.isEmpty {
                sqlite3_bind_zeroblob(statement, index, 0)
            } else {
                data.withUnsafeBytes { bytes in
                    _ = sqlite3_bind_blob(statement, index, bytes.baseAddress, Int32(bytes.count), Self.transient)
                }
            }
        }
    }
}
