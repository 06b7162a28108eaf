/// A server's identifier of one version of an item (RFC 9110, section 8.8.3), quotes and `W/` included.
public struct ETag: Hashable, Sendable, Codable, RawRepresentable, CustomStringConvertible {
    /// The tag as it is sent.
    public let rawValue: String

    /// Creates a tag as it was received.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Whether the tag only promises equivalence, not equal bytes.
    public var isWeak: Bool { rawValue.hasPrefix("W/") }

    /// The tag without `W/`, which stays equal when a server makes a new file's weak tag a strong one.
    public var opaque: Substring { isWeak ? rawValue.dropFirst(2) : rawValue[...] }

    /// The same as ``rawValue``.
    public var description: String { rawValue }

    /// Encodes as a plain string.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(rawValue)
    }

    /// Decodes a plain string.
    public init(from decoder: any Decoder) throws {
        rawValue = try decoder.singleValueContainer().decode(String.self)
    }
}
