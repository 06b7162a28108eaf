/// The authentication schemes that a 401 reply offers (RFC 9110, section 11.6.1).
enum Challenge {
    /// Returns the names of the schemes in lower case: several may share one field, and commas occur within quotes.
    static func schemes(in headers: HTTPHeaders) -> Set<String> {
        var schemes: Set<String> = []
        for value in headers.values("WWW-Authenticate") {
            for item in splitAtCommas(value) {
                let words = item.split(separator: " ", maxSplits: 1)
                // A scheme stands alone or before a space; a parameter has its "=" in the first word.
                if let word = words.first, isToken(String(word)) { schemes.insert(word.lowercased()) }
            }
        }
        return schemes
    }

    private static func splitAtCommas(_ text: String) -> [String] {
        var items: [String] = []
        var item = ""
        var isQuoted = false
        var isEscaped = false
        for character in text {
            if character == ",", !isQuoted {
                items.append(item)
                item = ""
                continue
            }
            if character == "\"", !isEscaped { isQuoted.toggle() }
            isEscaped = character == "\\" && !isEscaped && isQuoted
            item.append(character)
        }
        return items + [item]
    }
}
