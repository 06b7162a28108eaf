import Foundation

extension FileQuery {
    /// Parses a query in the predicate format.
    ///
    /// ```
    /// query      = conjunction *( ( "OR" / "||" ) conjunction )
    /// conjunction = negation *( ( "AND" / "&&" ) negation )
    /// negation   = ( "NOT" / "!" ) negation / "(" query ")" / "TRUEPREDICATE" / "FALSEPREDICATE" / comparison
    /// comparison = key operator value / value operator key / key            ; a Boolean key alone: == YES
    ///            / key "IN" options list / key "BETWEEN" "{" value "," value "}"
    /// operator   = ( "=" / "==" / "!=" / "<>" / "<" / "<=" / "=<" / ">" / ">=" / "=>"
    ///            / "BEGINSWITH" / "CONTAINS" / "ENDSWITH" / "LIKE" / "MATCHES" ) options
    /// options    = [ "[" *( "c" / "d" ) "]" ]                               ; text only
    /// list       = "{" [ value *( "," value ) ] "}"                         ; or in parentheses
    /// value      = string / number [ size ] / "YES" / "TRUE" / "NO" / "FALSE" / "NIL" / "NULL" / date
    /// size       = B / KB / MB / … (1000ⁿ) / KiB / MiB / … / K / M / … (1024ⁿ), up to E, in any case
    /// date       = ( "now" / "date(" string ")" / 'CAST(' ( string / number ) ', "NSDate")' )
    ///              *( ( "+" / "-" ) number ( "w" / "d" / "h" / "m" / "s" ) )
    /// ```
    ///
    /// Keywords may be in any case, keys may not. Strings are in single or double quotes, with the escapes `\\`, `\'`,
    /// `\"`, `\n`, `\r`, `\t` and `\uXXXX`. A string compared with a date is an RFC 3339 date, with or without a time;
    /// it is in UTC unless it has an offset. A number cast to a date is seconds since 2001, as `NSPredicate` writes
    /// dates.
    ///
    /// - Parameters:
    ///   - text: The query.
    ///   - keys: A provider's own keys, which the text may use in addition to the shared ones.
    ///   - now: The date that `now` stands for; the query stores this date.
    /// - Throws: ``FileQueryParseError``, which says what is wrong and where; also for a comparison that the key's type
    ///   does not support, and for parentheses more than 100 deep.
    public init(
        parsing text: String, keys: [Key] = [], now: Date = Date()
    ) throws(FileQueryParseError) {
        var parser = Parser(
            text: text, tokens: try Lexer.tokens(of: text), keys: .shared(with: keys), now: now)
        self = try parser.wholeQuery()
    }

    /// A recursive descent over the tokens. Chains of AND and OR are loops, and nesting is limited, so that no text can
    /// exhaust the stack.
    struct Parser {
        let text: String
        let tokens: [Token]
        let keys: KeyTable
        let now: Date
        private var index = 0
        private var depth = 0

        static let depthLimit = 100

        /// Words that cannot be keys, in lower case.
        static let reservedWords: Set<String> = [
            "and", "or", "not", "in", "between", "beginswith", "contains", "endswith", "like", "matches", "true",
            "false", "yes", "no", "null", "nil", "now", "cast", "date", "truepredicate", "falsepredicate",
        ]

        init(text: String, tokens: [Token], keys: KeyTable, now: Date) {
            self.text = text
            self.tokens = tokens
            self.keys = keys
            self.now = now
        }

        mutating func wholeQuery() throws(FileQueryParseError) -> FileQuery {
            let query = try disjunction()
            guard current.kind == .end else { throw unexpected("AND, OR or the end of the query") }
            return query
        }

        private mutating func disjunction() throws(FileQueryParseError) -> FileQuery {
            var operands = [try conjunction()]
            while take(word: "or") || take(sign: "||") { operands.append(try conjunction()) }
            return operands.count == 1 ? operands[0] : .or(operands)
        }

        private mutating func conjunction() throws(FileQueryParseError) -> FileQuery {
            var operands = [try negation()]
            while take(word: "and") || take(sign: "&&") { operands.append(try negation()) }
            return operands.count == 1 ? operands[0] : .and(operands)
        }

        private mutating func negation() throws(FileQueryParseError) -> FileQuery {
            try descend()
            defer { ascend() }
            if take(word: "not") || take(sign: "!") { return .not(try negation()) }
            if take(sign: "(") {
                let query = try disjunction()
                try expect(")")
                return query
            }
            if take(word: "truepredicate") { return .all }
            if take(word: "falsepredicate") { return .nothing }
            return try comparison()
        }
    }
}

/// Moving through the tokens.
extension FileQuery.Parser {
    var current: FileQuery.Token { tokens[index] }

    /// The token after the current one, or the end.
    var following: FileQuery.Token { tokens[min(index + 1, tokens.count - 1)] }

    mutating func advance() {
        if index + 1 < tokens.count { index += 1 }
    }

    /// Steps over a keyword, in any case, if it is next.
    mutating func take(word: String) -> Bool {
        guard case .word(let found) = current.kind, found.lowercased() == word else { return false }
        advance()
        return true
    }

    /// Steps over a sign if it is next.
    mutating func take(sign: String) -> Bool {
        guard current.kind == .sign(sign) else { return false }
        advance()
        return true
    }

    mutating func expect(_ sign: String) throws(FileQueryParseError) {
        guard take(sign: sign) else { throw unexpected("\"\(sign)\"") }
    }

    /// Counts one level of nesting; the caller subtracts it again.
    mutating func descend() throws(FileQueryParseError) {
        guard depth < Self.depthLimit else {
            throw fault("The query is nested more than \(Self.depthLimit) levels deep", at: current.offset)
        }
        depth += 1
    }

    mutating func ascend() {
        depth -= 1
    }

    func fault(_ message: String, at offset: Int) -> FileQueryParseError {
        FileQueryParseError(message, in: text, utf8Offset: offset)
    }

    /// Returns the error for a current token that is not the expected one.
    func unexpected(_ expected: String) -> FileQueryParseError {
        let found =
            switch current.kind {
            case .end: "the query ends"
            case .word(let word): "there is \"\(word)\""
            case .number(let number): "there is \(number)"
            case .string: "there is a string"
            case .sign(let sign): "there is \"\(sign)\""
            }
        return fault("Expected \(expected), but \(found)", at: current.offset)
    }
}
