/// The target of a symbolic link, as the bytes that the link stores: absolute, relative, or leading nowhere.
public struct LinkTarget: Hashable, Sendable, ExpressibleByStringLiteral, CustomStringConvertible, Codable {
    /// The link's contents.
    public let bytes: [UInt8]

    /// Creates a target of exactly these bytes.
    public init(bytes: some Sequence<UInt8>) { self.bytes = Array(bytes) }

    /// Creates a target from text.
    public init(_ text: String) { bytes = Array(text.utf8) }

    /// Creates a target from a literal in source code.
    public init(stringLiteral literal: String) { self.init(literal) }

    /// The target as text; bytes that are not UTF-8 show as U+FFFD.
    public var description: String { String(decoding: bytes, as: UTF8.self) }

    /// Decodes text, or Base64 bytes where the target is not UTF-8.
    public init(from decoder: any Decoder) throws { bytes = try ExactText.decode(from: decoder) }

    /// Encodes text, or Base64 bytes where the target is not UTF-8.
    public func encode(to encoder: any Encoder) throws { try ExactText.encode(bytes, to: encoder) }
}
