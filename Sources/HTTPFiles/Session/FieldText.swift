// The bytes that make up names and values of fields, examined directly: every reply has a dozen fields, and views of a
// string's characters cost a hundred instructions per character.

/// Compares two texts; ASCII letters are equal in either case.
func equalIgnoringCase(_ a: String, _ b: String) -> Bool {
    guard a.utf8.count == b.utf8.count else { return false }
    return a.withBytes { a in
        b.withBytes { b in a.indices.allSatisfy { a[$0] == b[$0] || lowercased(a[$0]) == lowercased(b[$0]) } }
    }
}

/// Returns whether the text is a token (RFC 9110, section 5.6.2).
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

/// Returns whether the text has neither a line break nor a zero byte.
func isFieldValue(_ text: String) -> Bool {
    text.withBytes { bytes in bytes.allSatisfy { $0 != 0 && $0 != 10 && $0 != 13 } }
}

/// Returns the text without surrounding spaces and tabs.
func trimmed(_ text: String) -> String {
    guard text.utf8.first.map(isSpace) == true || text.utf8.last.map(isSpace) == true else { return text }
    return text.withBytes { String(decoding: trimmed($0[...]), as: UTF8.self) }
}

/// Returns the bytes without surrounding spaces and tabs.
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
    /// Calls the closure with the bytes as one contiguous buffer.
    fileprivate func withBytes<Result>(_ look: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
        utf8.withContiguousStorageIfAvailable(look) ?? Array(utf8).withUnsafeBufferPointer(look)
    }
}
