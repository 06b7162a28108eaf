import Foundation

/// Bytes that are usually UTF-8, encoded without loss: as a string if they are, otherwise as `{"base64": …}`.
enum ExactText {
    private enum Key: CodingKey { case base64 }

    static func decode(from decoder: any Decoder) throws -> [UInt8] {
        if let text = try? decoder.singleValueContainer().decode(String.self) { return Array(text.utf8) }
        return Array(try decoder.container(keyedBy: Key.self).decode(Data.self, forKey: .base64))
    }

    /// Decodes what is made of the bytes.
    ///
    /// - Parameter kind: what that is called.
    /// - Throws: `DecodingError.dataCorrupted` if it cannot be made.
    static func decode<Value>(
        from decoder: any Decoder, as kind: String, _ make: ([UInt8]) throws -> Value
    ) throws -> Value {
        let bytes = try decode(from: decoder)
        do { return try make(bytes) } catch {
            throw DecodingError.dataCorrupted(
                DecodingError.Context(
                    codingPath: decoder.codingPath, debugDescription: "it is no \(kind)", underlyingError: error))
        }
    }

    static func encode(_ bytes: [UInt8], to encoder: any Encoder) throws {
        if let text = String(validating: bytes, as: UTF8.self) {
            var container = encoder.singleValueContainer()
            try container.encode(text)
        } else {
            var container = encoder.container(keyedBy: Key.self)
            try container.encode(Data(bytes), forKey: .base64)
        }
    }
}
