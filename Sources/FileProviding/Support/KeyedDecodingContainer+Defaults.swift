extension KeyedDecodingContainer {
    /// Replaces a default where the key is present, so that data stored before a setting existed can still be decoded.
    package func decode<Value: Decodable>(_ key: Key, into value: inout Value) throws {
        if let stored = try decodeIfPresent(Value.self, forKey: key) { value = stored }
    }
}
