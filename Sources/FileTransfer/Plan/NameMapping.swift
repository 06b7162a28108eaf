import FileProviding

/// Names for storages that cannot hold some: `=fp=` and the name with its unusual bytes percent-encoded.
///
/// The same option maps names back: a mapped name at the source becomes the original. At least one byte is encoded, so
/// that a name which merely begins like that is left alone.
enum NameMapping {
    private static let prefix = Array("=fp=".utf8)
    private static let longest = 255

    /// Returns the name to use instead of `name`; `nil` when it is a mapped name already, or would become too long.
    static func mapped(_ name: ItemName) -> ItemName? {
        guard original(name) == nil else { return nil }
        var bytes = prefix
        let isPlainThroughout = name.bytes.allSatisfy(isPlain)
        for (index, byte) in name.bytes.enumerated() {
            let isEdge = index == 0 || index == name.bytes.count - 1
            if isPlain(byte) && !(isPlainThroughout && index == 0) || (byte == UInt8(ascii: ".") && !isEdge) {
                bytes.append(byte)
            } else {
                let digits = String(byte, radix: 16, uppercase: true)
                bytes.append(contentsOf: ("%" + (digits.count < 2 ? "0" : "") + digits).utf8)
            }
        }
        return bytes.count <= longest ? ItemName(unchecked: bytes) : nil
    }

    /// Returns the original of a mapped name; `nil` for any other name.
    static func original(_ name: ItemName) -> ItemName? {
        guard name.bytes.starts(with: prefix), name.bytes.contains(UInt8(ascii: "%")) else { return nil }
        var bytes: [UInt8] = []
        var rest = name.bytes.dropFirst(prefix.count)
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            guard let code = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16) else { return nil }
            bytes.append(code)
            rest = rest.dropFirst(2)
        }
        return try? ItemName(validating: bytes)
    }

    private static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
            true
        default: false
        }
    }
}

extension TransferOptions {
    /// Returns a target's path with the names that the source has: where names are mapped, a mapped name and its
    /// original are the same.
    func original(_ path: ItemPath) -> ItemPath {
        guard names == .map, !path.isIdentifier else { return path }
        return path.components.reduce(.root) { $0.appending(NameMapping.original($1) ?? $1) }
    }
}
