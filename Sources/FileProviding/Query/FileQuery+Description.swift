/// The predicate format. Parsing it gives the same query back, given the custom keys; an `and` or `or` of fewer than
/// two operands is written as its meaning.
extension FileQuery: CustomStringConvertible {
    /// The query in the predicate format.
    public var description: String {
        text(as: .whole)
    }

    /// The position of an expression, which decides whether it needs parentheses.
    private enum Place {
        case whole, operandOfOr, operandOfAndOrNot
    }

    private func text(as place: Place) -> String {
        switch self {
        case .all: "TRUEPREDICATE"
        case .nothing: "FALSEPREDICATE"
        case .comparison(let key, let relation, let value, let options):
            "\(key.name) \(relation.rawValue)\(options.text) \(value)"
        case .absent(let key): "\(key.name) == NIL"
        case .not(.absent(let key)): "\(key.name) != NIL"
        case .in(let key, let values, let options):
            "\(key.name) IN\(options.text) {\(values.map(\.description).joined(separator: ", "))}"
        case .between(let key, let low, let high): "\(key.name) BETWEEN {\(low), \(high)}"
        case .not(let operand): "NOT \(operand.text(as: .operandOfAndOrNot))"
        case .and(let operands) where operands.count < 2: (operands.first ?? .all).text(as: place)
        case .or(let operands) where operands.count < 2: (operands.first ?? .nothing).text(as: place)
        case .and(let operands):
            Self.parenthesized(
                operands.map { $0.text(as: .operandOfAndOrNot) }.joined(separator: " AND "),
                if: place == .operandOfAndOrNot)
        case .or(let operands):
            Self.parenthesized(
                operands.map { $0.text(as: .operandOfOr) }.joined(separator: " OR "), if: place != .whole)
        }
    }

    private static func parenthesized(_ text: String, if needed: Bool) -> String {
        needed ? "(\(text))" : text
    }
}

extension FileQuery.Options {
    /// `[c]`, `[d]`, `[cd]` or nothing.
    fileprivate var text: String {
        if isEmpty { return "" }
        return "[\(contains(.caseInsensitive) ? "c" : "")\(contains(.diacriticInsensitive) ? "d" : "")]"
    }
}

extension FileQuery.Value: CustomStringConvertible {
    /// The value as a literal of the predicate format.
    public var description: String {
        switch self {
        case .string(let text): Self.quoted(text)
        case .integer(let number): "\(number)"
        case .decimal(let number): number.isFinite ? "\(number)" : "CAST(\"\(number)\", \"NSNumber\")"
        case .bool(let flag): flag ? "YES" : "NO"
        case .date(let date):
            if let text = FileQuery.Timestamp.text(for: date) {
                "date(\"\(text)\")"
            } else {
                "CAST(\(Self.decimal(date.timeIntervalSinceReferenceDate)), \"NSDate\")"
            }
        }
    }

    private static func quoted(_ text: String) -> String {
        var literal = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": literal += "\\\""
            case "\\": literal += "\\\\"
            case "\n": literal += "\\n"
            case "\r": literal += "\\r"
            case "\t": literal += "\\t"
            case "\0"..<" ", "\u{7F}":
                let digits = String(scalar.value, radix: 16, uppercase: true)
                literal += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: literal.unicodeScalars.append(scalar)
            }
        }
        return literal + "\""
    }
}
