/// Header fields in order, looked up without regard to case; a name may occur several times.
///
/// A name that is not a token, or a value with a line break or a zero byte, is left out: no value can smuggle in another
/// field, whoever made it up. Space around a value is not part of it.
public struct HTTPHeaders: Sendable, Hashable {
    private var fields: [Field] = []

    /// One field.
    public struct Field: Sendable, Hashable {
        /// The name as it was written.
        public let name: String
        /// The value, without space around it.
        public let value: String
    }

    /// No fields.
    public init() {}

    /// How many fields there are.
    public var count: Int { fields.count }

    /// The first value under a name; setting replaces all values, `nil` removes them.
    public subscript(name: String) -> String? {
        get { fields.first { equalIgnoringCase($0.name, name) }?.value }
        set {
            remove(name)
            if let newValue { add(name, newValue) }
        }
    }

    /// All values under a name, in order.
    public func values(_ name: String) -> [String] {
        fields.filter { equalIgnoringCase($0.name, name) }.map(\.value)
    }

    /// Appends a field behind those of the same name.
    ///
    /// - Returns: whether the field was well-formed; a malformed one is left out.
    @discardableResult
    public mutating func add(_ name: String, _ value: String) -> Bool {
        let value = trimmed(value)
        guard isToken(name), isFieldValue(value) else { return false }
        fields.append(Field(name: name, value: value))
        return true
    }

    /// Takes all fields of a name away.
    public mutating func remove(_ name: String) {
        fields.removeAll { equalIgnoringCase($0.name, name) }
    }

    /// Equal when the fields are, in order, names without regard to case.
    public static func == (a: HTTPHeaders, b: HTTPHeaders) -> Bool {
        a.fields.elementsEqual(b.fields) { equalIgnoringCase($0.name, $1.name) && $0.value == $1.value }
    }

    /// Hashes the values: names would have to be folded first.
    public func hash(into hasher: inout Hasher) {
        for field in fields { hasher.combine(field.value) }
    }
}

extension HTTPHeaders: Sequence {
    /// The fields in order.
    public func makeIterator() -> IndexingIterator<[Field]> { fields.makeIterator() }
}

extension HTTPHeaders: ExpressibleByDictionaryLiteral {
    /// Fields written in source.
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
    /// The names alone: values may hold secrets.
    public var description: String { fields.map(\.name).joined(separator: ", ") }
}
