import Foundation

/// One side of a comparison: a key or a literal.
extension FileQuery.Parser {
    struct Operand {
        enum Content {
            case key(FileQuery.Key)
            case value(FileQuery.Value)
            case null
        }

        let content: Content
        let offset: Int
    }

    mutating func operand() throws(FileQueryParseError) -> Operand {
        let offset = current.offset
        return Operand(content: try content(), offset: offset)
    }

    private mutating func content() throws(FileQueryParseError) -> Operand.Content {
        switch current.kind {
        case .string(let text):
            advance()
            return .value(.string(text))
        case .number: return .value(try number(sign: ""))
        case .sign("-"), .sign("+"):
            let sign = current.kind == .sign("-") ? "-" : ""
            advance()
            return .value(try number(sign: sign))
        case .word(let word): return try content(of: word)
        default: throw unexpected("a key or a value")
        }
    }

    private mutating func content(of word: String) throws(FileQueryParseError) -> Operand.Content {
        let offset = current.offset
        let keyword = word.lowercased()
        guard Self.reservedWords.contains(keyword) else {
            guard let key = keys[word] else {
                throw fault("There is no key \"\(word)\". \(keys.advice(for: word))", at: offset)
            }
            advance()
            return .key(key)
        }
        switch keyword {
        case "yes", "true", "no", "false":
            advance()
            return .value(.bool(keyword == "yes" || keyword == "true"))
        case "nil", "null":
            advance()
            return .null
        case "now":
            advance()
            return .value(try shifted(now))
        case "date":
            advance()
            try expect("(")
            let place = current.offset
            let text = try string("a date in quotes")
            try expect(")")
            return .value(try shifted(try date(from: text, at: place)))
        case "cast":
            advance()
            return .value(try cast())
        default: throw unexpected("a key or a value")
        }
    }

    /// Parses what comes after `CAST`: a literal and the name of the class it becomes, in parentheses.
    private mutating func cast() throws(FileQueryParseError) -> FileQuery.Value {
        try descend()
        defer { ascend() }
        try expect("(")
        let source = try operand()
        try expect(",")
        let offset = current.offset
        let type = try string("\"NSDate\" or \"NSNumber\"")
        try expect(")")
        switch (type, source.content) {
        case ("NSDate", .value(.string(let text))):
            return try shifted(try date(from: text, at: source.offset))
        case ("NSDate", .value(.integer(let seconds))):
            return try shifted(Date(timeIntervalSinceReferenceDate: Double(seconds)))
        case ("NSDate", .value(.decimal(let seconds))):
            return try shifted(Date(timeIntervalSinceReferenceDate: seconds))
        case ("NSNumber", .value(.string(let text))):
            if let number = Int64(text) { return .integer(number) }
            if let number = Double(text) { return .decimal(number) }
            throw fault("\"\(text)\" is not a number", at: source.offset)
        case ("NSDate", _), ("NSNumber", _):
            throw fault("This cannot be cast to \(type)", at: source.offset)
        default:
            throw fault("A cast makes \"NSDate\" or \"NSNumber\"", at: offset)
        }
    }

    private mutating func string(_ expected: String) throws(FileQueryParseError) -> String {
        guard case .string(let text) = current.kind else { throw unexpected(expected) }
        advance()
        return text
    }

    private func date(from text: String, at offset: Int) throws(FileQueryParseError) -> Date {
        guard let date = FileQuery.Timestamp.date(from: text) else {
            throw fault("\"\(text)\" is not a date such as 2026-01-31 or 2026-01-31T10:00:00Z", at: offset)
        }
        return date
    }

    /// Returns the operand as a value that the key can be compared with.
    func value(of operand: Operand, for key: FileQuery.Key) throws(FileQueryParseError) -> FileQuery.Value {
        guard case .value(let value) = operand.content else {
            throw fault("Expected \(key.type.phrase)", at: operand.offset)
        }
        switch (key.type, value) {
        case (.date, .string(let text)): return .date(try date(from: text, at: operand.offset))
        case (.bool, .integer(0)), (.bool, .integer(1)): return .bool(value == .integer(1))
        case (let type, _) where type == value.type || type.isNumber && value.type.isNumber: return value
        default:
            throw fault("\(key.name) is \(key.type.phrase), but this is \(value.type.phrase)", at: operand.offset)
        }
    }
}
