/// A query is stored as its text together with the types of its custom keys: `{"format": "rating > 3", "keys":
/// {"rating": "integer"}}`. That is readable, and decoding it is as safe as parsing.
extension FileQuery: Codable {
    private enum CodingKeys: String, CodingKey {
        case format, keys
    }

    /// Decodes a stored query.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        let types = try container.decodeIfPresent([String: ValueType].self, forKey: .keys) ?? [:]
        let keys = try types.map { name, type in
            guard let key = CustomKey(validating: name, type: type) else {
                throw DecodingError.dataCorruptedError(
                    forKey: .keys, in: container, debugDescription: "\"\(name)\" cannot name a query key")
            }
            return Key.custom(key)
        }
        let format = try container.decode(String.self, forKey: .format)
        do {
            try self.init(parsing: format, keys: keys)
        } catch {
            throw DecodingError.dataCorrupted(
                DecodingError.Context(
                    codingPath: container.codingPath + [CodingKeys.format], debugDescription: error.message,
                    underlyingError: error))
        }
    }

    /// Encodes the query.
    ///
    /// - Throws: `EncodingError` for a query that could not be decoded again: one that is nested too deeply, or
    ///   compares a key with a value of the wrong type.
    public func encode(to encoder: any Encoder) throws {
        let keys = keys
        do {
            _ = try FileQuery(parsing: description, keys: Array(keys))
        } catch {
            throw EncodingError.invalidValue(
                self,
                EncodingError.Context(
                    codingPath: encoder.codingPath, debugDescription: error.message, underlyingError: error))
        }
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(description, forKey: .format)
        let custom = keys.compactMap { if case .custom(let key) = $0 { (key.name, key.type) } else { nil } }
        if !custom.isEmpty {
            try container.encode(Dictionary(custom) { first, _ in first }, forKey: .keys)
        }
    }
}
