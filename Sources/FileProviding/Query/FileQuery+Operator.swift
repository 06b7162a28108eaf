extension FileQuery {
    /// How a property and a value are compared; the raw value is the operator's spelling in the predicate format.
    public enum Operator: String, Sendable, Hashable, CaseIterable {
        /// The same value; for text, the same bytes.
        case equal = "=="
        /// Another value, or none.
        case notEqual = "!="
        /// Smaller, earlier, or first in byte order.
        case less = "<"
        /// ``less`` or ``equal``.
        case lessOrEqual = "<="
        /// Larger, later, or last in byte order.
        case greater = ">"
        /// ``greater`` or ``equal``.
        case greaterOrEqual = ">="
        /// The text starts with the value.
        case beginsWith = "BEGINSWITH"
        /// The value is somewhere in the text.
        case contains = "CONTAINS"
        /// The text ends with the value.
        case endsWith = "ENDSWITH"
        /// The whole text matches a pattern: `*` matches any run, `?` one Unicode scalar, and `\` makes the next one
        /// literal.
        case like = "LIKE"
        /// The whole text matches an ICU regular expression.
        ///
        /// A match that takes more than some 200,000 backtracking steps is abandoned and counts as no match, so that a
        /// pattern such as `(a+)+b` costs milliseconds a file rather than hours.
        case matches = "MATCHES"
    }

    /// The differences that a comparison of text ignores.
    public struct Options: OptionSet, Sendable, Hashable {
        /// The options as bits.
        public let rawValue: UInt8

        /// Creates options from their bits.
        public init(rawValue: UInt8) {
            self.rawValue = rawValue
        }

        /// `[c]`: ignores case, by Unicode's full case folding ("STRASSE" equals "Straße"), and the difference between
        /// composed and decomposed characters.
        public static let caseInsensitive = Options(rawValue: 1)

        /// `[d]`: ignores accents, which are the nonspacing marks of the decomposed text. Letters that do not
        /// decompose, such as "ø", are left as they are.
        public static let diacriticInsensitive = Options(rawValue: 2)
    }
}

extension FileQuery.Operator {
    /// Whether this compares order rather than searching text.
    var isOrdering: Bool {
        switch self {
        case .less, .lessOrEqual, .greater, .greaterOrEqual: true
        default: false
        }
    }

    /// The operator for exchanged operands (`10 < fileSize` is `fileSize > 10`); nil where the operands cannot be
    /// exchanged.
    var mirrored: Self? {
        switch self {
        case .equal, .notEqual: self
        case .less: .greater
        case .lessOrEqual: .greaterOrEqual
        case .greater: .less
        case .greaterOrEqual: .lessOrEqual
        case .beginsWith, .contains, .endsWith, .like, .matches: nil
        }
    }
}
