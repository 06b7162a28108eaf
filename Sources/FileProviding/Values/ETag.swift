/// A server's name for one version of an item (RFC 9110, section 8.8.3), quotes and `W/` included.
public struct ETag: Hashable, Sendable, Codable, RawRepresentable, CustomStringConvertible {
    /// The tag as it goes over the wire.
    public let rawValue: String

    /// A tag as it came over the wire.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Whether the tag only promises equivalence, not equal bytes.
    public var isWeak: Bool { rawValue.hasPrefix("W/") }

    /// The tag without `W/`: what compares equal when a server strengthens a fresh file's tag.
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
