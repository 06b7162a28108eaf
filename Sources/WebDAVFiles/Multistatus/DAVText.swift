/// Parses single values from an element's text.
///
/// What cannot be parsed is `nil`: servers differ, and a listing must not fail because of one odd property.
enum DAVText {
    /// Returns the text without surrounding white space, or `nil` when nothing is left.
    static func string(_ text: UnsafeRawBufferPointer) -> String? {
        let trimmed = trimmed(text)
        return trimmed.isEmpty ? nil : String(decoding: trimmed, as: UTF8.self)
    }

    /// Parses a decimal number with an optional sign.
    static func integer(_ text: UnsafeRawBufferPointer) -> Int64? {
        let text = trimmed(text)
        let isNegative = text.first == UInt8(ascii: "-")
        let digits = isNegative || text.first == UInt8(ascii: "+") ? text.dropFirst() : text[...]
        guard !digits.isEmpty else { return nil }
        var value: Int64 = 0
        for byte in digits {
            let digit = byte &- UInt8(ascii: "0")
            guard digit < 10 else { return nil }
            let (product, overflow) = value.multipliedReportingOverflow(by: 10)
            let (sum, carry) = product.addingReportingOverflow(Int64(digit))
            guard !overflow, !carry else { return nil }
            value = sum
        }
        return isNegative ? -value : value
    }

    /// Parses `1`, `true`, `T`, `yes` and their opposites, in either case.
    static func boolean(_ text: UnsafeRawBufferPointer) -> Bool? {
        switch trimmed(text).first.map({ $0 | 0x20 }) {
        case UInt8(ascii: "1"), UInt8(ascii: "t"), UInt8(ascii: "y"): true
        case UInt8(ascii: "0"), UInt8(ascii: "f"), UInt8(ascii: "n"): false
        default: nil
        }
    }

    /// Parses an entity tag; quotes that the server left out are added, so that it can be sent back.
    static func etag(_ text: UnsafeRawBufferPointer) -> String? {
        let tag = trimmed(text)
        guard let first = tag.first else { return nil }
        let isQuoted = first == UInt8(ascii: "\"") || tag.starts(with: "W/\"".utf8)
        let bare = String(decoding: tag, as: UTF8.self)
        return isQuoted ? bare : "\"\(bare)\""
    }

    /// Parses the status in `HTTP/1.1 200 OK` (RFC 9112, section 4), also where the version is missing.
    static func status(_ text: UnsafeRawBufferPointer) -> Int? {
        let text = trimmed(text)
        let start = text.first == UInt8(ascii: "H") ? text.firstIndex(of: UInt8(ascii: " ")).map { $0 + 1 } : 0
        guard let start else { return nil }
        let code = text[start...].prefix(3)
        return integer(UnsafeRawBufferPointer(rebasing: code)).map(Int.init)
    }

    /// Returns the text without surrounding spaces, tabs and line ends.
    static func trimmed(_ text: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
        var start = 0
        var end = text.count
        while start < end, isSpace(text[start]) { start += 1 }
        while end > start, isSpace(text[end - 1]) { end -= 1 }
        return UnsafeRawBufferPointer(rebasing: text[start..<end])
    }

    private static func isSpace(_ byte: UInt8) -> Bool {
        byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09
    }
}
