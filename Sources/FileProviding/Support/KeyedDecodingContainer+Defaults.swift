extension KeyedDecodingContainer {
    /// Replaces a default where the key is there, so that what was stored before a setting existed still opens.
    package func decode<Value: Decodable>(_ key: Key, into value: inout Value) throws {
        if let stored = try decodeIfPresent(Value.self, forKey: key) { value = stored }
    }
}
