extension FileQuery {
    /// A property that only some provider's files have.
    public struct CustomKey: Sendable, Hashable {
        /// The spelling in the predicate format.
        public let name: String

        /// The type of its values.
        public let type: ValueType

        /// Creates a key for an unused name: ASCII letters, digits, `_` and `.`, not starting with a digit or a dot,
        /// and neither a shared key nor a word of the predicate format. Any other name is a programming error.
        public init(_ name: String, type: ValueType) {
            guard let key = CustomKey(validating: name, type: type) else {
                preconditionFailure("\"\(name)\" cannot name a query key")
            }
            self = key
        }

        /// Creates the same for a name from outside; nil if the name is not available.
        init?(validating name: String, type: ValueType) {
            let bytes = name.utf8
            guard let first = bytes.first, Lexer.startsWord(first), bytes.allSatisfy(Lexer.continuesWord),
                KeyTable.shared[name] == nil, !Parser.reservedWords.contains(name.lowercased())
            else { return nil }
            self.name = name
            self.type = type
        }
    }
}
