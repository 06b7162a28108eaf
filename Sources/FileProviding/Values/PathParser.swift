/// Turns text into a validated ``ItemPath``; the only place where `..`, slashes and percent-escapes are interpreted.
enum PathParser {
    private static let slash = UInt8(ascii: "/")

    static func parse(_ text: [UInt8]) throws -> ItemPath {
        if isIdentifier(text) { return ItemPath(unchecked: text, isIdentifier: true) }
        let (parts, namesDirectory) = pieces(of: text)
        return try join(parts, namesDirectory: namesDirectory, of: text)
    }

    static func parsePercentEncoded(_ text: String) throws -> ItemPath {
        let (raw, namesDirectory) = pieces(of: Array(text.utf8))
        let parts = try raw.map { part -> ArraySlice<UInt8> in
            guard let decoded = [UInt8](percentEncoded: part), !decoded.contains(slash) else {
                throw invalidName(Array(text.utf8))
            }
            return decoded[...]
        }
        return try join(parts, namesDirectory: namesDirectory, of: Array(text.utf8))
    }

    /// Divides a path at its slashes; one at each end separates nothing.
    private static func pieces(of text: [UInt8]) -> (parts: [ArraySlice<UInt8>], namesDirectory: Bool) {
        var body = text[...]
        if body.first == slash { body = body.dropFirst() }
        let namesDirectory = body.isEmpty || body.last == slash
        if body.last == slash, body.count > 1 { body = body.dropLast() }
        return (body.isEmpty ? [] : body.split(separator: slash, omittingEmptySubsequences: false), namesDirectory)
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
