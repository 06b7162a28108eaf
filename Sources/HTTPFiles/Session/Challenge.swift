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

    /// Returns the realm that the reply asks a digest for, as it is quoted; `nil` if it asks for none or names none.
    static func digestRealm(in headers: HTTPHeaders) -> String? {
        for value in headers.values("WWW-Authenticate") {
            var scheme = ""
            for item in splitAtCommas(value) {
                let words = item.split(separator: " ", maxSplits: 1)
                var parameter = item
                if let word = words.first, isToken(String(word)) {
                    scheme = word.lowercased()
                    parameter = words.count > 1 ? String(words[1]) : ""
                }
                let parts = parameter.split(separator: "=", maxSplits: 1).map { $0.drop { $0 == " " } }
                if scheme == "digest", parts.count == 2, parts[0].lowercased() == "realm" { return String(parts[1]) }
            }
        }
        return nil
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
