// What the names and values of fields are made of, looked at byte by byte: every reply has a dozen of them, and views of a
// string's characters take a hundred instructions for each.

/// ASCII letters compare equal in either case.
func equalIgnoringCase(_ a: String, _ b: String) -> Bool {
    guard a.utf8.count == b.utf8.count else { return false }
    return a.withBytes { a in
        b.withBytes { b in a.indices.allSatisfy { a[$0] == b[$0] || lowercased(a[$0]) == lowercased(b[$0]) } }
    }
}

/// Whether the text is a token (RFC 9110, section 5.6.2).
func isToken(_ text: String) -> Bool {
    !text.isEmpty
        && text.withBytes { bytes in
            bytes.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"):
                    true
                default: "!#$%&'*+.^_`|~".utf8.contains(byte)
                }
            }
        }
}

/// Whether the text has neither a line break nor a zero byte.
func isFieldValue(_ text: String) -> Bool {
    text.withBytes { bytes in bytes.allSatisfy { $0 != 0 && $0 != 10 && $0 != 13 } }
}

/// The text without spaces and tabs around it.
func trimmed(_ text: String) -> String {
    guard text.utf8.first.map(isSpace) == true || text.utf8.last.map(isSpace) == true else { return text }
    return text.withBytes { String(decoding: trimmed($0[...]), as: UTF8.self) }
}

/// The bytes without spaces and tabs around them.
func trimmed<Bytes: BidirectionalCollection<UInt8>>(_ bytes: Bytes) -> Bytes where Bytes.SubSequence == Bytes {
    var bytes = bytes.drop(while: isSpace)
    while bytes.last.map(isSpace) == true { bytes.removeLast() }
    return bytes
}

private func isSpace(_ byte: UInt8) -> Bool { byte == 32 || byte == 9 }

private func lowercased(_ byte: UInt8) -> UInt8 {
    (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
}

extension String {
    /// Looks at the bytes in one piece.
    fileprivate func withBytes<Result>(_ look: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
        utf8.withContiguousStorageIfAvailable(look) ?? Array(utf8).withUnsafeBufferPointer(look)
    }
}
