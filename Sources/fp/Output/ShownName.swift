/// Makes names and texts from others safe for a terminal and for one-line messages.
enum ShownName {
    /// Returns the text with everything escaped that could move a cursor, break a line or reverse its reading
    /// direction.
    ///
    /// Control characters become `\n`, `\t` or octal `\033`, as `ls -b` shows them; so do bytes that are not UTF-8.
    static func escaped(_ bytes: some Collection<UInt8>) -> String {
        if bytes.allSatisfy({ $0 >= 0x20 && $0 < 0x7F }) { return String(decoding: bytes, as: UTF8.self) }
        var text = ""
        var parser = Unicode.UTF8.ForwardParser()
        var rest = bytes.makeIterator()
        var position = bytes.startIndex
        while true {
            switch parser.parseScalar(from: &rest) {
            case .valid(let encoded):
                let scalar = Unicode.UTF8.decode(encoded)
                if isHarmless(scalar) {
                    text.unicodeScalars.append(scalar)
                } else {
                    encoded.forEach { text += escape($0) }
                }
                bytes.formIndex(&position, offsetBy: encoded.count)
            case .error(let length):
                for _ in 0..<length {
                    text += escape(bytes[position])
                    bytes.formIndex(after: &position)
                }
            case .emptyInput: return text
            }
        }
    }

    /// Does the same as ``escaped(_:)`` for a `String`.
    static func escaped(_ text: String) -> String { escaped(Array(text.utf8)) }

    private static func isHarmless(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0..<0x20, 0x7F..<0xA0: false
        case 0x061C, 0x200E, 0x200F, 0x2028, 0x2029, 0x202A...0x202E, 0x2066...0x2069, 0xFEFF: false
        default: true
        }
    }

    private static func escape(_ byte: UInt8) -> String {
        switch byte {
        case UInt8(ascii: "\n"): "\\n"
        case UInt8(ascii: "\t"): "\\t"
        case UInt8(ascii: "\r"): "\\r"
        default: "\\" + ["", "0", "00"][3 - String(byte, radix: 8).count] + String(byte, radix: 8)
        }
    }
}
