extension FileQuery {
    /// A word, literal or sign of the predicate format, and where it starts.
    struct Token: Equatable {
        enum Kind: Equatable {
            /// A key or keyword.
            case word(String)
            /// A string literal, without quotes and escapes.
            case string(String)
            /// An unsigned number literal, as written.
            case number(String)
            /// An operator or bracket.
            case sign(String)
            /// The end of the text.
            case end
        }

        let kind: Kind
        let offset: Int
    }

    /// Splits text into tokens. It works on UTF-8, where a quote is a quote even when a combining mark follows it.
    struct Lexer {
        private let text: String
        private let bytes: [UInt8]
        private var offset = 0

        private init(_ text: String) {
            self.text = text
            bytes = Array(text.utf8)
        }

        /// Returns the tokens of a text; the last one is `.end`.
        static func tokens(of text: String) throws(FileQueryParseError) -> [Token] {
            var lexer = Lexer(text)
            var tokens: [Token] = []
            repeat {
                lexer.skip { $0 == 0x20 || 0x09...0x0D ~= $0 }
                let start = lexer.offset
                tokens.append(Token(kind: try lexer.next(), offset: start))
            } while tokens.last?.kind != .end
            return tokens
        }

        private mutating func next() throws(FileQueryParseError) -> Token.Kind {
            guard let byte = peek() else { return .end }
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "'"): return .string(try string(quotedBy: byte))
            case 0x30...0x39: return .number(number())
            case _ where Self.startsWord(byte): return .word(take(while: Self.continuesWord))
            case UInt8(ascii: "%"), UInt8(ascii: "$"):
                throw fault(
                    """
                    There are no placeholders here. With values at hand, build the query in Swift: \
                    .name.contains(text) && .fileSize > limit
                    """)
            default: return .sign(try sign())
            }
        }

        private static let signs: Set<String> = [
            "==", "=<", "=>", "=", "!=", "!", "<>", "<=", "<", ">=", ">", "&&", "||", "(", ")", "{", "}", "[", "]", ",",
            "+", "-",
        ]

        /// Parses the longest sign that comes next.
        private mutating func sign() throws(FileQueryParseError) -> String {
            for length in [2, 1] {
                let sign = String(decoding: bytes[offset...].prefix(length), as: UTF8.self)
                if Self.signs.contains(sign) {
                    offset += length
                    return sign
                }
            }
            let character = String(decoding: bytes[offset...], as: UTF8.self).first ?? " "
            throw fault("Unexpected \"\(character)\"")
        }

        /// Parses digits, optionally with a fraction and an exponent.
        private mutating func number() -> String {
            let start = offset
            skip(while: Self.isDigit)
            if peek() == UInt8(ascii: "."), peek(1).map(Self.isDigit) == true {
                offset += 1
                skip(while: Self.isDigit)
            }
            if peek().map({ $0 | 0x20 }) == UInt8(ascii: "e") {
                let isSigned = peek(1) == UInt8(ascii: "+") || peek(1) == UInt8(ascii: "-")
                let digits = isSigned ? 2 : 1
                if peek(digits).map(Self.isDigit) == true {
                    offset += digits
                    skip(while: Self.isDigit)
                }
            }
            return String(decoding: bytes[start..<offset], as: UTF8.self)
        }

        func peek(_ distance: Int = 0) -> UInt8? {
            offset + distance < bytes.count ? bytes[offset + distance] : nil
        }

        func fault(_ message: String, at place: Int? = nil) -> FileQueryParseError {
            FileQueryParseError(message, in: text, utf8Offset: place ?? offset)
        }

        mutating func skip(while condition: (UInt8) -> Bool) {
            while let byte = peek(), condition(byte) { offset += 1 }
        }

        mutating func take(while condition: (UInt8) -> Bool) -> String {
            let start = offset
            skip(while: condition)
            return String(decoding: bytes[start..<offset], as: UTF8.self)
        }

        static func isDigit(_ byte: UInt8) -> Bool {
            0x30...0x39 ~= byte
        }

        /// Returns whether the byte is an ASCII letter or `_`.
        static func startsWord(_ byte: UInt8) -> Bool {
            0x41...0x5A ~= byte || 0x61...0x7A ~= byte || byte == 0x5F
        }

        /// Returns whether the byte starts a word, or is a digit or `.`.
        static func continuesWord(_ byte: UInt8) -> Bool {
            startsWord(byte) || isDigit(byte) || byte == 0x2E
        }
    }
}

/// String literals.
extension FileQuery.Lexer {
    private mutating func string(quotedBy quote: UInt8) throws(FileQueryParseError) -> String {
        let start = offset
        var content: [UInt8] = []
        offset += 1
        while let byte = peek(), byte != quote {
            if byte == UInt8(ascii: "\\") {
                content.append(contentsOf: String(try escape()).utf8)
            } else {
                content.append(byte)
                offset += 1
            }
        }
        guard peek() == quote else { throw fault("This string has no closing quote", at: start) }
        offset += 1
        return String(decoding: content, as: UTF8.self)
    }

    private mutating func escape() throws(FileQueryParseError) -> Unicode.Scalar {
        let start = offset
        offset += 2
        switch peek(-1) {
        case UInt8(ascii: "\\"): return "\\"
        case UInt8(ascii: "'"): return "'"
        case UInt8(ascii: "\""): return "\""
        case UInt8(ascii: "n"): return "\n"
        case UInt8(ascii: "r"): return "\r"
        case UInt8(ascii: "t"): return "\t"
        case UInt8(ascii: "u"): return try unicodeEscape(from: start)
        default:
            throw fault(#"Unknown escape. There are \\ \" \' \n \r \t \uXXXX; a backslash itself is \\"#, at: start)
        }
    }

    /// Parses `XXXX`, or two of them joined by `\u` that make a surrogate pair.
    private mutating func unicodeEscape(from start: Int) throws(FileQueryParseError) -> Unicode.Scalar {
        var units: [UInt16] = []
        repeat {
            if !units.isEmpty { offset += 2 }
            let digits = bytes[offset...].prefix(4)
            guard digits.count == 4, digits.first != UInt8(ascii: "+"),
                let unit = UInt16(String(decoding: digits, as: UTF8.self), radix: 16)
            else { break }
            units.append(unit)
            offset += 4
        } while units.count == 1 && 0xD800...0xDBFF ~= units[0] && peek() == 0x5C && peek(1) == UInt8(ascii: "u")
        let scalars = Array(String(decoding: units, as: UTF16.self).unicodeScalars)
        guard scalars.count == 1, scalars[0] != "\u{FFFD}" || units == [0xFFFD] else {
            throw fault("\\u takes four hexadecimal digits that make a Unicode character", at: start)
        }
        return scalars[0]
    }
}
