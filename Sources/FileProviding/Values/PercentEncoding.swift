extension [UInt8] {
    /// The bytes as text of a URL: everything but slashes and unreserved characters is escaped (RFC 3986, section 2.1).
    package var percentEncoded: String {
        var text: [UInt8] = []
        text.reserveCapacity(count + 16)
        for byte in self {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "/"),
                UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "~"):
                text.append(byte)
            default:
                text.append(UInt8(ascii: "%"))
                text.append(hexDigits[Int(byte >> 4)])
                text.append(hexDigits[Int(byte & 15)])
            }
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// Creates the bytes that percent-encoded text stands for; `nil` for an incomplete escape.
    init?(percentEncoded text: ArraySlice<UInt8>) {
        self = []
        reserveCapacity(text.count)
        var index = text.startIndex
        while index < text.endIndex {
            if text[index] == UInt8(ascii: "%") {
                guard index + 2 < text.endIndex, let high = Self.hexValue(text[index + 1]),
                    let low = Self.hexValue(text[index + 2])
                else { return nil }
                append(high << 4 | low)
                index += 3
            } else {
                append(text[index])
                index += 1
            }
        }
    }

    private static func hexValue(_ digit: UInt8) -> UInt8? {
        switch digit {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}

private let hexDigits = Array("0123456789ABCDEF".utf8)
