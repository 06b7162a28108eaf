import FileProviding

/// Returns the text with everything escaped that is not plain printable ASCII.
func escaped(_ text: String) -> String {
    text.unicodeScalars.map { scalar in
        scalar.isASCII && scalar.value >= 0x20 && scalar.value != 0x7F ? String(scalar) : scalar.escaped(asASCII: true)
    }.joined()
}

/// Returns a name in quotes, with bytes that are not UTF-8 as `\xNN`; a long one is shortened to its beginning and
/// length.
func escaped(_ name: ItemName) -> String {
    guard let text = String(validating: name.bytes, as: UTF8.self) else {
        return "\""
            + name.bytes.map { byte in
                (0x20..<0x7F).contains(byte)
                    ? String(UnicodeScalar(byte)) : "\\x" + String(byte, radix: 16, uppercase: true)
            }.joined() + "\""
    }
    guard name.bytes.count > 60 else { return "\"\(escaped(text))\"" }
    return "\"\(escaped(String(text.prefix(8))))…\" (\(name.bytes.count) bytes)"
}
