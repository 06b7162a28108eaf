/// One component of a path, kept and compared as bytes.
///
/// Swift's `String ==` treats a composed and a decomposed `é` as equal; file systems and servers do not.
public struct ItemName: Hashable, Sendable {
    /// The name's bytes: never empty, no slash, no zero byte, neither `.` nor `..`.
    public let bytes: [UInt8]

    /// Creates a name of exactly these bytes.
    ///
    /// - Throws: `CocoaError(.fileReadInvalidFileName)` for an empty name, `.`, `..`, a slash or a zero byte.
    public init(validating bytes: some Sequence<UInt8>) throws {
        let bytes = Array(bytes)
        guard Self.isValid(bytes[...]) else { throw invalidName(bytes) }
        self.bytes = bytes
    }

    /// Creates a name from text. Throws as the initializer for bytes does.
    public init(validating text: String) throws {
        try self.init(validating: text.utf8)
    }

    package init(unchecked bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// The name as text, or `nil` for bytes that are not UTF-8: for a server that takes text only.
    public var exactText: String? { String(validating: bytes, as: UTF8.self) }

    /// The name as text; bytes that are not UTF-8 show as U+FFFD.
    public var text: String { String(decoding: bytes, as: UTF8.self) }

    /// The bytes after the last dot, as lower-case text, or "" where there is none. A leading dot does not count.
    public var pathExtension: String {
        guard let dot = bytes.lastIndex(of: UInt8(ascii: ".")), dot > 0, dot + 1 < bytes.count else { return "" }
        return String(decoding: bytes[(dot + 1)...], as: UTF8.self).lowercased()
    }

    /// Whether the name begins with a dot, which hides an item by Unix convention.
    public var isHidden: Bool { bytes.first == UInt8(ascii: ".") }

    static func isValid(_ bytes: ArraySlice<UInt8>) -> Bool {
        guard let first = bytes.first else { return false }
        if first == UInt8(ascii: "."), bytes.count == 1 || (bytes.count == 2 && bytes.last == first) { return false }
        return !bytes.contains { $0 == UInt8(ascii: "/") || $0 == 0 }
    }
}

extension ItemName: ExpressibleByStringLiteral {
    /// Creates a name from a literal.
    ///
    /// - Precondition: the text is a valid name.
    public init(stringLiteral value: String) {
        precondition(Self.isValid(Array(value.utf8)[...]), "“\(value)” is no name")
        self.init(unchecked: Array(value.utf8))
    }
}

extension ItemName: Comparable {
    /// Returns whether `a` comes before `b` by their bytes.
    public static func < (a: ItemName, b: ItemName) -> Bool { a.bytes.precedes(b.bytes) }
}

extension ItemName: CustomStringConvertible {
    /// The same as ``text``.
    public var description: String { text }
}

extension ItemName: Codable {
    /// Decodes text, or Base64 bytes where the name is not UTF-8: `"name"` or `{"base64": "…"}` in JSON.
    ///
    /// - Throws: `DecodingError.dataCorrupted` for what is no name.
    public init(from decoder: any Decoder) throws {
        self = try ExactText.decode(from: decoder, as: "name", Self.init(validating:))
    }

    /// Encodes text, or Base64 bytes where the name is not UTF-8.
    public func encode(to encoder: any Encoder) throws { try ExactText.encode(bytes, to: encoder) }
}

extension [UInt8] {
    /// Returns whether these bytes come first in byte order, by one `memcmp`.
    package func precedes(_ other: [UInt8]) -> Bool {
        withUnsafeBufferPointer { a in other.withUnsafeBufferPointer { a.precedes($0) } }
    }
}

extension UnsafeBufferPointer<UInt8> {
    /// Returns whether these bytes come first in byte order, by one `memcmp`.
    func precedes(_ other: Self) -> Bool {
        let order = memcmpOrZero(UnsafeRawBufferPointer(self), UnsafeRawBufferPointer(other))
        return order != 0 ? order < 0 : count < other.count
    }
}
