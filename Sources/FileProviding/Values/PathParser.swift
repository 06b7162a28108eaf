/// Turns text into a validated ``ItemPath``; the only place where `..`, slashes and percent-escapes are interpreted.
enum PathParser {
    private static let slash = UInt8(ascii: "/")

    static func parse(_ text: [UInt8]) throws -> ItemPath {
        if isIdentifier(text) { return ItemPath(unchecked: text, isIdentifier: true) }
        var body = text[...]
        if body.first == slash { body = body.dropFirst() }
        let namesDirectory = body.isEmpty || body.last == slash
        if body.last == slash, body.count > 1 { body = body.dropLast() }
        return try join(
            body.isEmpty ? [] : body.split(separator: slash, omittingEmptySubsequences: false),
            namesDirectory: namesDirectory, of: text)
    }

    static func parsePercentEncoded(_ text: String) throws -> ItemPath {
        var body = Array(text.utf8)[...]
        if body.first == slash { body = body.dropFirst() }
        let namesDirectory = body.isEmpty || body.last == slash
        if body.last == slash, body.count > 1 { body = body.dropLast() }
        let raw = body.isEmpty ? [] : body.split(separator: slash, omittingEmptySubsequences: false)
        let parts = try raw.map { part -> ArraySlice<UInt8> in
            guard let decoded = percentDecoded(part), !decoded.contains(slash) else {
                throw invalidName(Array(text.utf8))
            }
            return decoded[...]
        }
        return try join(parts, namesDirectory: namesDirectory, of: Array(text.utf8))
    }

    /// Returns bytes escaped for a URL, except slashes and unreserved characters.
    static func percentEncoded(_ bytes: [UInt8]) -> String {
        var text: [UInt8] = []
        text.reserveCapacity(bytes.count + 16)
        for byte in bytes {
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

    private static let hexDigits = Array("0123456789ABCDEF".utf8)

    /// Returns the bytes that percent-encoded text stands for, or `nil` for an incomplete escape.
    static func percentDecoded(_ text: ArraySlice<UInt8>) -> [UInt8]? {
        guard text.contains(UInt8(ascii: "%")) else { return Array(text) }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.count)
        var index = text.startIndex
        while index < text.endIndex {
            if text[index] == UInt8(ascii: "%") {
                guard index + 2 < text.endIndex, let high = hexValue(text[index + 1]),
                    let low = hexValue(text[index + 2])
                else { return nil }
                bytes.append(high << 4 | low)
                index += 3
            } else {
                bytes.append(text[index])
                index += 1
            }
        }
        return bytes
    }

    private static func hexValue(_ digit: UInt8) -> UInt8? {
        switch digit {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
        default: nil
        }
    }

    private static func join(
        _ parts: [ArraySlice<UInt8>], namesDirectory: Bool, of text: [UInt8]
    ) throws -> ItemPath {
        var kept: [ArraySlice<UInt8>] = []
        for part in parts {
            if part.elementsEqual(".".utf8) { continue }
            if part.elementsEqual("..".utf8) {
                guard kept.popLast() != nil else { throw invalidName(text, "it leaves the root") }
                continue
            }
            guard ItemName.isValid(part) else { throw invalidName(text) }
            kept.append(part)
        }
        let endsInDots = parts.last.map { $0.elementsEqual(".".utf8) || $0.elementsEqual("..".utf8) } ?? false
        return ItemPath(
            unchecked: Array(kept.joined(separator: [slash])),
            namesDirectory: namesDirectory || endsInDots || kept.isEmpty)
    }

    private static func isIdentifier(_ text: [UInt8]) -> Bool {
        guard let colon = text.firstIndex(of: UInt8(ascii: ":")), (2...12).contains(colon), colon + 1 < text.count
        else {
            return false
        }
        return text[..<colon].allSatisfy { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) }
            && !text.contains(slash) && !text.contains(0)
    }
}
