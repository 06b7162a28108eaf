import FileProviders
import Foundation

/// One JSON object on a line, its members in the order in which they were added.
struct JSONLine {
    private(set) var bytes: [UInt8] = [UInt8(ascii: "{")]

    /// The line with its end.
    var line: [UInt8] { bytes + Array("}\n".utf8) }

    /// Adds text; `nil` adds nothing.
    mutating func add(_ key: StaticString, _ value: String?) {
        guard let value else { return }
        begin(key)
        Self.append(value, to: &bytes)
    }

    /// Adds a number; `nil` adds nothing.
    mutating func add(_ key: StaticString, _ value: (some BinaryInteger)?) {
        guard let value else { return }
        begin(key)
        bytes.append(contentsOf: String(value).utf8)
    }

    /// Adds `true` or `false`.
    mutating func add(_ key: StaticString, _ value: Bool) {
        begin(key)
        bytes.append(contentsOf: (value ? "true" : "false").utf8)
    }

    /// Adds text that may not be UTF-8: it is then readable under `key`, and exact in Base64 under `keyBase64`.
    mutating func add(_ key: StaticString, exact value: [UInt8]) {
        begin(key)
        Self.append(String(decoding: value, as: UTF8.self), to: &bytes)
        guard String(validating: value, as: UTF8.self) == nil else { return }
        begin(key, suffix: "Base64")
        Self.append(Data(value).base64EncodedString(), to: &bytes)
    }

    /// Adds an object of texts; an empty one adds nothing.
    mutating func add(_ key: StaticString, _ members: [(name: String, value: String)]) {
        guard !members.isEmpty else { return }
        begin(key)
        bytes.append(UInt8(ascii: "{"))
        for (index, member) in members.enumerated() {
            if index > 0 { bytes.append(UInt8(ascii: ",")) }
            Self.append(member.name, to: &bytes)
            bytes.append(UInt8(ascii: ":"))
            Self.append(member.value, to: &bytes)
        }
        bytes.append(UInt8(ascii: "}"))
    }

    private mutating func begin(_ key: StaticString, suffix: StaticString = "") {
        if bytes.count > 1 { bytes.append(UInt8(ascii: ",")) }
        bytes.append(UInt8(ascii: "\""))
        for part in [key, suffix] { part.withUTF8Buffer { bytes.append(contentsOf: $0) } }
        bytes.append(contentsOf: "\":".utf8)
    }

    /// Appends a JSON string (RFC 8259, section 7).
    private static func append(_ text: String, to bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "\""))
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"): bytes += [UInt8(ascii: "\\"), byte]
            case UInt8(ascii: "\n"): bytes.append(contentsOf: "\\n".utf8)
            case UInt8(ascii: "\t"): bytes.append(contentsOf: "\\t".utf8)
            case 0..<0x20, 0x7F:
                bytes.append(contentsOf: (byte < 0x10 ? "\\u000" : "\\u00").utf8)
                bytes.append(contentsOf: String(byte, radix: 16).utf8)
            default: bytes.append(byte)
            }
        }
        bytes.append(UInt8(ascii: "\""))
    }
}
