import FileProviding

/// Parses the `path` of a listed image, which servers send raw (`Weibo/kyokyo不是qq啊`) or percent-encoded.
///
/// Each value is judged on its own, by the characters that encoding would have escaped and by the image's `name`:
/// 1. Without an escape both readings are the same.
/// 2. An invalid escape, or a byte that encoding would have escaped, means a raw path.
/// 3. A name equal to the last component as written (`100%41.jpg`) means a raw path.
/// 4. Anything else is percent-encoded, if it decodes to UTF-8.
enum GalleryPath {
    /// - Throws: `CocoaError(.fileReadInvalidFileName)` for a path that leaves the gallery or has an empty component.
    static func parse(_ text: String, name: String?) throws -> ItemPath {
        if text.utf8.contains(UInt8(ascii: "%")), isEncoded(text), !isName(name, lastOf: text),
            let path = try decoded(text)
        {
            return path
        }
        // The leading slash keeps `ab:cd` a name; alone it would be an identifier.
        return try ItemPath(validating: text.utf8.first == UInt8(ascii: "/") ? text : "/" + text)
    }

    /// Returns whether the text contains escapes and nothing that would have been escaped along with them.
    private static func isEncoded(_ text: String) -> Bool {
        var (hasEscape, digitsLeft) = (false, 0)
        for byte in text.utf8 {
            if digitsLeft > 0 {
                guard isHexDigit(byte) else { return false }
                digitsLeft -= 1
            } else if byte == UInt8(ascii: "%") {
                (hasEscape, digitsLeft) = (true, 2)
            } else if !isAllowed(byte) {
                return false
            }
        }
        return hasEscape && digitsLeft == 0
    }

    /// Returns whether the last component equals the image's name as written, escapes and all, with or without an
    /// extension.
    private static func isName(_ name: String?, lastOf text: String) -> Bool {
        guard let name, name.utf8.contains(UInt8(ascii: "%")) else { return false }
        let last = text.utf8.split(separator: UInt8(ascii: "/")).last ?? text.utf8[...]
        guard last.starts(with: name.utf8) else { return false }
        let rest = last.dropFirst(name.utf8.count)
        return rest.isEmpty || rest.first == UInt8(ascii: ".")
    }

    /// Returns the decoded path, or `nil` if it is not UTF-8. Some servers escape the slashes too.
    private static func decoded(_ text: String) throws -> ItemPath? {
        let path = try ItemPath(
            percentEncoded: text.replacing("%2F", with: "/").replacing("%2f", with: "/"))
        return path.components.allSatisfy { String(validating: $0.bytes, as: UTF8.self) != nil } ? path : nil
    }

    /// Returns whether a byte may appear in a URL's path without an escape (RFC 3986, section 3.3), including the
    /// slash.
    private static func isAllowed(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: "-._~!$&'()*+,;=:@/".utf8.contains(byte)
        }
    }

    private static func isHexDigit(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "F"),
            UInt8(ascii: "a")...UInt8(ascii: "f"):
            true
        default: false
        }
    }
}
