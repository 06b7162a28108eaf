/// Where an item is within a provider: a validated path from the provider's root, or a `type:identifier`.
///
/// `"/"` and `""` are the root; `"a/b"` and `"/a/b"` are the same path. `.` components vanish and `..` goes up,
/// lexically; a path that would leave the root, an empty component (`//x`) or a zero byte is refused. Components are
/// bytes: nothing is percent-decoded, Unicode-normalized or case-folded, and comparison is by byte.
///
/// Some servers address items by identifier instead: text of the form `id:abcd`, two to twelve lower-case letters, a
/// colon and no slash, is such a path. A file of that name in the root is written with a leading slash.
///
/// A trailing slash marks a directory: it is ignored in comparisons, but a file is not found under such a path.
public struct ItemPath: Hashable, Sendable {
    /// Components joined by slashes, without a leading one; empty for the root. For an identifier, `type:identifier`.
    package let bytes: [UInt8]
    /// Whether this is a `type:identifier`.
    public let isIdentifier: Bool
    /// Whether the path was written with a trailing slash. The root always names a directory.
    public let namesDirectory: Bool

    /// The provider's root directory.
    public static let root = ItemPath(unchecked: [], namesDirectory: true)

    /// Creates a path from text.
    ///
    /// - Throws: `CocoaError(.fileReadInvalidFileName)` when the path leaves the root, has an empty component or a zero
    ///   byte.
    public init(validating text: String) throws {
        try self.init(validatingBytes: Array(text.utf8))
    }

    /// Creates a path from bytes, which need not be UTF-8. Throws as ``init(validating:)`` does.
    public init(validatingBytes bytes: some Sequence<UInt8>) throws {
        self = try PathParser.parse(Array(bytes))
    }

    /// Creates a path from a URL's path: each component is percent-decoded once, then validated, so that `%2e%2e`
    /// cannot escape.
    ///
    /// - Throws: `CocoaError(.fileReadInvalidFileName)`, also for a decoded slash (`%2F`) and an invalid escape.
    public init(percentEncoded text: String) throws {
        self = try PathParser.parsePercentEncoded(text)
    }

    package init(unchecked bytes: [UInt8], isIdentifier: Bool = false, namesDirectory: Bool = false) {
        self.bytes = bytes
        self.isIdentifier = isIdentifier
        self.namesDirectory = namesDirectory
    }

    /// Returns whether both name the same item, whether or not written with a trailing slash.
    public static func == (a: ItemPath, b: ItemPath) -> Bool {
        a.isIdentifier == b.isIdentifier && a.bytes == b.bytes
    }

    /// Hashes the bytes in one go.
    public func hash(into hasher: inout Hasher) {
        bytes.withUnsafeBytes { hasher.combine(bytes: $0) }
    }
}

extension ItemPath: ExpressibleByStringLiteral {
    /// Creates a path from a literal in source code. A literal that ``init(validating:)`` would refuse is a programming
    /// error and traps.
    public init(stringLiteral literal: String) {
        do { try self.init(validating: literal) } catch { preconditionFailure("invalid path literal: \(literal)") }
    }
}

extension ItemPath: CustomStringConvertible {
    /// The path with a leading slash, or `type:identifier`; bytes that are not UTF-8 show as U+FFFD.
    public var description: String {
        isIdentifier ? String(decoding: bytes, as: UTF8.self) : "/" + String(decoding: bytes, as: UTF8.self)
    }
}

extension ItemPath: Comparable {
    /// Compares the bytes of the joined components; identifiers sort after paths.
    public static func < (a: ItemPath, b: ItemPath) -> Bool {
        a.isIdentifier != b.isIdentifier ? b.isIdentifier : a.bytes.precedes(b.bytes)
    }
}

extension ItemPath: Codable {
    /// Decodes what ``encode(to:)`` wrote, and validates it again.
    ///
    /// - Throws: `DecodingError.dataCorrupted` for what is no path.
    public init(from decoder: any Decoder) throws {
        self = try ExactText.decode(from: decoder, as: "path", Self.init(validatingBytes:))
    }

    /// Encodes the path's text, or Base64 bytes where it is not UTF-8.
    public func encode(to encoder: any Encoder) throws {
        let slash = UInt8(ascii: "/")
        let text = isIdentifier ? bytes : [slash] + bytes + (namesDirectory && !bytes.isEmpty ? [slash] : [])
        try ExactText.encode(text, to: encoder)
    }
}
