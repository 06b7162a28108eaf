/// Header fields in order, with case-insensitive lookup; a name may occur several times.
///
/// A field whose name is not a token, or whose value has a line break or a zero byte, is left out: no value can smuggle
/// in another field, wherever it comes from. White space around a value is removed.
public struct HTTPHeaders: Sendable, Hashable {
    private var fields: [Field] = []

    /// One field.
    public struct Field: Sendable, Hashable {
        /// The name as it was written.
        public let name: String
        /// The value, without white space around it.
        public let value: String
    }

    /// Creates headers without fields.
    public init() {}

    /// Creates headers with room for a number of fields.
    init(capacity: Int) { fields.reserveCapacity(capacity) }

    /// The number of fields.
    public var count: Int { fields.count }

    /// The first value under a name; setting replaces all values, `nil` removes them.
    public subscript(name: String) -> String? {
        get { fields.first { equalIgnoringCase($0.name, name) }?.value }
        set {
            remove(name)
            if let newValue { add(name, newValue) }
        }
    }

    /// Returns all values under a name, in order.
    public func values(_ name: String) -> [String] {
        fields.filter { equalIgnoringCase($0.name, name) }.map(\.value)
    }

    /// Appends a field after those of the same name.
    ///
    /// - Returns: whether the field was well-formed; a malformed one is left out.
    @discardableResult
    public mutating func add(_ name: String, _ value: String) -> Bool {
        let value = trimmed(value)
        guard isToken(name), isFieldValue(value) else { return false }
        fields.append(Field(name: name, value: value))
        return true
    }

    /// Removes all fields with a name.
    public mutating func remove(_ name: String) {
        fields.removeAll { equalIgnoringCase($0.name, name) }
    }

    /// Returns whether the fields are equal, in order, with names compared ignoring case.
    public static func == (a: HTTPHeaders, b: HTTPHeaders) -> Bool {
        a.fields.elementsEqual(b.fields) { equalIgnoringCase($0.name, $1.name) && $0.value == $1.value }
    }

    /// Hashes only the values: names would have to be case-folded first.
    public func hash(into hasher: inout Hasher) {
        for field in fields { hasher.combine(field.value) }
    }
}

extension HTTPHeaders: Sequence {
    /// Returns an iterator over the fields in order.
    public func makeIterator() -> IndexingIterator<[Field]> { fields.makeIterator() }
}

extension HTTPHeaders: ExpressibleByDictionaryLiteral {
    /// Creates headers from a literal in source code.
    public init(dictionaryLiteral elements: (String, String)...) {
        for (name, value) in elements { add(name, value) }
    }
}

extension HTTPHeaders: Codable {
    /// Decodes what ``encode(to:)`` wrote; malformed fields are left out.
    public init(from decoder: any Decoder) throws {
        var container = try decoder.unkeyedContainer()
        while !container.isAtEnd { add(try container.decode(String.self), try container.decode(String.self)) }
    }

    /// Encodes names and values in turn, which keeps their order.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.unkeyedContainer()
        for field in fields {
            try container.encode(field.name)
            try container.encode(field.value)
        }
    }
}

extension HTTPHeaders: CustomStringConvertible {
    /// The names only: values may hold secrets.
    public var description: String { fields.map(\.name).joined(separator: ", ") }
}
