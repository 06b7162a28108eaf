/// Writes a small XML document; the one place where XML is escaped.
struct XMLWriter {
    private(set) var document = #"<?xml version="1.0" encoding="utf-8"?>"#
    private var depth = 0

    /// Writes an element with the contents that `content` writes.
    mutating func element(_ name: XMLName, _ content: (inout XMLWriter) -> Void = { _ in }) {
        let isDAV = name.namespace == XMLName.dav
        let tag = isDAV ? "d:\(name.localName)" : "x:\(name.localName)"
        document += "<\(tag)"
        if depth == 0 { document += #" xmlns:d="\#(XMLName.dav)""# }
        if !isDAV { document += #" xmlns:x="\#(Self.escaped(name.namespace))""# }
        document += ">"
        depth += 1
        content(&self)
        depth -= 1
        document += "</\(tag)>"
    }

    /// Writes text. Characters that XML cannot hold become U+FFFD.
    mutating func text(_ text: String) { document += Self.escaped(text) }

    private static func escaped(_ text: String) -> String {
        var escaped = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": escaped += "&amp;"
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            case "\"": escaped += "&quot;"
            case "\r": escaped += "&#13;"
            case "\t", "\n": escaped.unicodeScalars.append(scalar)
            case "\0"..<" ", "\u{FFFE}", "\u{FFFF}": escaped += "\u{FFFD}"
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }
}
