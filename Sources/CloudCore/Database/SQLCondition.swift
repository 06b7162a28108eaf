import FileProviding
import Foundation
import GRDB

/// A query as SQL over the columns of `items`, with the same result as evaluating it in memory.
///
/// A property that is absent is NULL. A leaf is true, false or NULL, and matches only when it is true; negation is
/// pushed down to the leaves, so that plain comparisons stay plain and can use their index.
struct SQLCondition {
    private(set) var arguments: SQLArguments = []
    private(set) var sql = ""
    private var leaves = 0

    /// The most tests, and the deepest nesting, that SQLite is given: its parser and the depth of its expressions have
    /// limits.
    private static let (mostLeaves, mostDepth) = (300, 15)

    /// Renders a query; `nil` for one that is too large for SQLite and has to be evaluated in memory.
    init?(_ query: FileQuery) {
        guard let sql = render(query, negated: false, depth: 0) else { return nil }
        self.sql = sql
    }

    private mutating func render(_ query: FileQuery, negated: Bool, depth: Int) -> String? {
        guard depth <= Self.mostDepth else { return nil }
        switch query {
        case .all: return negated ? "0" : "1"
        case .nothing: return negated ? "1" : "0"
        case .and(let operands):
            return join(operands, negated ? " OR " : " AND ", empty: negated ? "0" : "1", negated, depth)
        case .or(let operands):
            return join(operands, negated ? " AND " : " OR ", empty: negated ? "1" : "0", negated, depth)
        case .not(let operand): return render(operand, negated: !negated, depth: depth + 1)
        case .between(let key, let low, let high):
            let both: FileQuery = .and([
                .comparison(key, .greaterOrEqual, low), .comparison(key, .lessOrEqual, high),
            ])
            return render(both, negated: negated, depth: depth + 1)
        case .comparison(let key, let relation, let value, let options):
            return leaf(comparison(key, relation, value, options), negated)
        case .absent(let key): return leaf(SQLColumn(key).map { "\($0.sql) IS NULL" } ?? "1", negated)
        case .in(let key, let values, let options):
            return leaf(anyOf(key, values, options), negated, count: values.count)
        }
    }

    private mutating func join(
        _ operands: [FileQuery], _ separator: String, empty: String, _ negated: Bool, _ depth: Int
    ) -> String? {
        guard !operands.isEmpty else { return empty }
        var parts: [String] = []
        for operand in operands {
            guard let part = render(operand, negated: negated, depth: depth + 1) else { return nil }
            parts.append(part)
        }
        return "(" + parts.joined(separator: separator) + ")"
    }

    /// - Parameter count: the number of tests in the leaf.
    private mutating func leaf(_ sql: String, _ negated: Bool, count: Int = 1) -> String? {
        leaves += count
        guard leaves <= Self.mostLeaves else { return nil }
        return negated ? "((\(sql)) IS NOT TRUE)" : "(\(sql))"
    }

    // MARK: Leaves

    private mutating func comparison(
        _ key: FileQuery.Key, _ relation: FileQuery.Operator, _ value: FileQuery.Value, _ options: FileQuery.Options
    ) -> String {
        let mismatch = relation == .notEqual ? "1" : "0"
        guard let column = SQLColumn(key) else { return mismatch }
        if case .string(let text) = value {
            return column.kind == .text ? textTest(column, relation, text, options) : mismatch
        }
        guard let operand = column.operand(for: value) else { return mismatch }
        // Booleans have no order, but each is neither more nor less than itself.
        let isEquality = [.equal, .lessOrEqual, .greaterOrEqual].contains(relation)
        switch relation {
        case .notEqual: return "(\(column.sql) = \(bind(operand))) IS NOT TRUE"
        case .equal: return "\(column.sql) = \(bind(operand))"
        case .less, .lessOrEqual, .greater, .greaterOrEqual:
            if column.kind == .bool { return isEquality ? "\(column.sql) = \(bind(operand))" : "0" }
            return "\(column.sql) \(relation.rawValue) \(bind(operand))"
        case .beginsWith, .contains, .endsWith, .like, .matches: return "0"
        }
    }

    /// Renders a test for any of several values. As in evaluation, the first value's type decides which ones count.
    private mutating func anyOf(
        _ key: FileQuery.Key, _ values: [FileQuery.Value], _ options: FileQuery.Options
    ) -> String {
        let isText = values.first?.type == .string
        let tests = values.filter { ($0.type == .string) == isText }.map { comparison(key, .equal, $0, options) }
        return tests.isEmpty ? "0" : tests.joined(separator: " OR ")
    }

    private mutating func textTest(
        _ column: SQLColumn, _ relation: FileQuery.Operator, _ text: String, _ options: FileQuery.Options
    ) -> String {
        if options.isEmpty, let test = plainTest(column.sql, relation, text) { return test }
        if options == .caseInsensitive, let folded = column.folded {
            let text = text.folded(options)
            if relation == .contains, !text.isEmpty {
                // The index is smaller than the table, and is all that has to be searched.
                return """
                    localID IN (SELECT localID FROM items INDEXED BY itemsByFoldedName \
                    WHERE instr(foldedName, \(bind(text))) > 0)
                    """
            }
            if let test = plainTest(folded, relation, text) { return test }
        }
        let function = SQLFunctions.textTest
        return "\(function)(\(column.sql), '\(relation.rawValue)', \(bind(Data(text.utf8))), \(options.rawValue))"
    }

    /// Returns a test that compares bytes, or `nil` if SQL has none.
    private mutating func plainTest(_ column: String, _ relation: FileQuery.Operator, _ text: String) -> String? {
        switch relation {
        case .equal, .less, .lessOrEqual, .greater, .greaterOrEqual:
            return "\(column) \(relation.rawValue) \(bind(text))"
        case .notEqual: return "(\(column) = \(bind(text))) IS NOT TRUE"
        case .beginsWith:
            guard let last = text.utf8.last else { return "\(column) IS NOT NULL" }
            let end = Data(text.utf8.dropLast() + [last + 1])
            return "\(column) >= \(bind(text)) AND \(column) < \(bind(end, as: "TEXT"))"
        case .contains: return "instr(\(column), \(bind(text))) > 0"
        case .endsWith, .like, .matches: return nil
        }
    }

    // MARK: Arguments

    private mutating func bind(_ value: any DatabaseValueConvertible) -> String {
        arguments.append(value)
        return "?"
    }

    /// Binds text as bytes: as text it would end at its first zero byte.
    private mutating func bind(_ text: String) -> String { bind(Data(text.utf8), as: "TEXT") }

    private mutating func bind(_ data: Data, as type: String) -> String { "CAST(\(bind(data)) AS \(type))" }
}
