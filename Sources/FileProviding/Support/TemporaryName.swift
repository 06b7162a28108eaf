/// Names for files on their way, hidden and recognisable, in the directory of the file that they become.
package enum TemporaryName {
    private static let prefix = Array(".fp-".utf8)
    private static let suffix = Array(".part".utf8)

    /// A fresh name; it does not hold the final name, which may be as long as names can be.
    package static func make() -> ItemName {
        ItemName(unchecked: prefix + Array(String(UInt64.random(in: 0 ... .max), radix: 36).utf8) + suffix)
    }

    /// Whether a name is one of these.
    package static func isOurs(_ name: ItemName) -> Bool {
        name.bytes.starts(with: prefix) && name.bytes.suffix(suffix.count).elementsEqual(suffix)
            && name.bytes.count <= 24
    }
}
