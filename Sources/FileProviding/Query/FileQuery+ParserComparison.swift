/// Comparisons: a key, an operator, and values that fit both.
extension FileQuery.Parser {
    /// An operator as written in the text.
    private struct Relation {
        let relation: FileQuery.Operator
        let options: FileQuery.Options
        let offset: Int
    }

    mutating func comparison() throws(FileQueryParseError) -> FileQuery {
        let left = try operand()
        let offset = current.offset
        let isMembership = take(word: "in")
        if isMembership || take(word: "between") {
            guard case .key(let key) = left.content else {
                throw fault("The key comes first: name \(isMembership ? "IN {…}" : "BETWEEN {…, …}")", at: left.offset)
            }
            return try isMembership ? membership(of: key, at: offset) : range(of: key)
        }
        guard let operation = try relation() else {
            if case .key(let key) = left.content, key.type == .bool { return .comparison(key, .equal, true) }
            throw unexpected("an operator such as ==, CONTAINS or IN")
        }
        let right = try operand()
        switch (left.content, right.content) {
        case (.key, .key):
            throw fault("A key is compared with a value; text goes in quotes", at: right.offset)
        case (.key(let key), _):
            return try comparison(key, operation, right)
        case (_, .key(let key)):
            guard let mirrored = operation.relation.mirrored else {
                throw fault("With \(operation.relation.rawValue) the key comes first", at: left.offset)
            }
            return try comparison(
                key, Relation(relation: mirrored, options: operation.options, offset: operation.offset), left)
        default:
            throw fault("Neither side is a key. \(keys.advice(for: ""))", at: left.offset)
        }
    }

    private func comparison(
        _ key: FileQuery.Key, _ operation: Relation, _ operand: Operand
    ) throws(FileQueryParseError) -> FileQuery {
        let relation = operation.relation
        try check(operation.options, for: key, at: operation.offset)
        if case .null = operand.content {
            switch relation {
            case .equal: return .absent(key)
            case .notEqual: return .not(.absent(key))
            default: throw fault("NIL is compared with == and != only", at: operation.offset)
            }
        }
        guard key.type.allows(relation) else {
            throw fault(
                "\(relation.rawValue) cannot compare \(key.name), which is \(key.type.phrase)", at: operation.offset)
        }
        let value = try self.value(of: operand, for: key)
        if relation == .matches, case .string(let pattern) = value {
            do {
                _ = try FileQuery.RegularExpression(pattern, operation.options)
            } catch {
                throw fault("This is not a regular expression", at: operand.offset)
            }
        }
        return .comparison(key, relation, value, operation.options)
    }

    private mutating func membership(of key: FileQuery.Key, at offset: Int) throws(FileQueryParseError) -> FileQuery {
        let options = try self.options()
        try check(options, for: key, at: offset)
        return .in(key, try values(for: key), options)
    }

    private mutating func range(of key: FileQuery.Key) throws(FileQueryParseError) -> FileQuery {
        let offset = current.offset
        guard key.type.allows(.less) else {
            throw fault("\(key.name) is \(key.type.phrase), which has no order", at: offset)
        }
        let values = try self.values(for: key)
        guard values.count == 2 else { throw fault("BETWEEN takes two values, as in {1, 10}", at: offset) }
        return .between(key, values[0], values[1])
    }

    /// Parses `{a, b}` or `(a, b)`.
    private mutating func values(for key: FileQuery.Key) throws(FileQueryParseError) -> [FileQuery.Value] {
        let isBraced = take(sign: "{")
        guard isBraced || take(sign: "(") else { throw unexpected("a list such as {1, 2}") }
        let closing = isBraced ? "}" : ")"
        var values: [FileQuery.Value] = []
        if take(sign: closing) { return values }
        repeat {
            values.append(try value(of: try operand(), for: key))
        } while take(sign: ",")
        guard take(sign: closing) else { throw unexpected("\",\" or \"\(closing)\"") }
        return values
    }

    /// Returns the operator that comes next, if there is one.
    private mutating func relation() throws(FileQueryParseError) -> Relation? {
        let token = current
        let spelling: String
        switch token.kind {
        case .sign(let sign): spelling = Self.spellings[sign] ?? sign
        case .word(let word): spelling = word.uppercased()
        default: return nil
        }
        guard let relation = FileQuery.Operator(rawValue: spelling) else { return nil }
        advance()
        return Relation(relation: relation, options: try options(), offset: token.offset)
    }

    private static let spellings = ["=": "==", "<>": "!=", "=<": "<=", "=>": ">="]

    /// Parses `[c]`, `[d]`, `[cd]` or nothing.
    private mutating func options() throws(FileQueryParseError) -> FileQuery.Options {
        guard take(sign: "[") else { return [] }
        var options: FileQuery.Options = []
        if case .word(let letters) = current.kind {
            for letter in letters.lowercased() {
                switch letter {
                case "c": options.insert(.caseInsensitive)
                case "d": options.insert(.diacriticInsensitive)
                default:
                    throw fault("Unknown option \"\(letter)\"; c ignores case, d ignores accents", at: current.offset)
                }
            }
            advance()
        }
        try expect("]")
        return options
    }

    private func check(
        _ options: FileQuery.Options, for key: FileQuery.Key, at offset: Int
    ) throws(FileQueryParseError) {
        guard options.isEmpty || key.type == .string else {
            throw fault("[c] and [d] are for text, but \(key.name) is \(key.type.phrase)", at: offset)
        }
    }
}

extension FileQuery.ValueType {
    func allows(_ relation: FileQuery.Operator) -> Bool {
        switch self {
        case .string: true
        case .integer, .decimal, .date: relation.isOrdering || relation == .equal || relation == .notEqual
        case .bool: relation == .equal || relation == .notEqual
        }
    }

    /// As in "fileSize is a number".
    var phrase: String {
        switch self {
        case .string: "text"
        case .integer, .decimal: "a number"
        case .bool: "YES or NO"
        case .date: "a date"
        }
    }
}
