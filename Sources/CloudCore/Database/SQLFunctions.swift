import FileProviding
import Foundation
import GRDB

/// Functions that every connection of the database has.
enum SQLFunctions {
    /// `fileQueryText(value, operator, operand, options)`: a text test that SQL cannot express.
    static let textTest = "fileQueryText"
    /// `fileQueryFolded(text)`: the case-folded text, as `[c]` compares it.
    static let folded = "fileQueryFolded"

    static func register(in database: GRDB.Database) throws {
        let tests = TextTests()
        database.add(
            function: DatabaseFunction(textTest, argumentCount: 4, pure: true) { values in
                try tests.holds(for: values)
            })
        database.add(
            function: DatabaseFunction(folded, argumentCount: 1, pure: true) { values in
                String.fromDatabaseValue(values[0])?.folded(.caseInsensitive)
            })
    }
}

/// Text tests prepared once per statement, not once per row.
private final class TextTests: Sendable {
    private struct Test: Hashable {
        var relation: String
        var operand: Data
        var options: UInt8
    }

    private let matchers = Locked<[Test: FileQuery.Matcher]>([:])

    func holds(for values: [DatabaseValue]) throws -> Bool {
        let test = Test(
            relation: String.fromDatabaseValue(values[1]) ?? "", operand: Self.bytes(of: values[2]),
            options: UInt8.fromDatabaseValue(values[3]) ?? 0)
        return matcher(for: test).matches(OneText(text: String.fromDatabaseValue(values[0])))
    }

    private func matcher(for test: Test) -> FileQuery.Matcher {
        if let known = matchers.withLock({ $0[test] }) { return known }
        let relation = FileQuery.Operator(rawValue: test.relation) ?? .equal
        let text = String(decoding: test.operand, as: UTF8.self)
        let query = FileQuery.comparison(.name, relation, .string(text), FileQuery.Options(rawValue: test.options))
        let matcher = query.matcher()
        matchers.withLock { matchers in
            if matchers.count >= 64 { matchers.removeAll() }
            matchers[test] = matcher
        }
        return matcher
    }

    /// Returns the exact bytes of a text, which as a string of SQLite's would end at its first zero byte.
    private static func bytes(of value: DatabaseValue) -> Data {
        switch value.storage {
        case .string(let text): Data(text.utf8)
        case .blob(let data): data
        default: Data()
        }
    }
}

/// A query subject that consists of one text.
private struct OneText: FileQuerySubject {
    let text: String?

    func queryValue(for key: FileQuery.Key) -> FileQuery.Value? { text.map { .string($0) } }
}
