/// Names for files that are being written, hidden and recognizable, in the directory of the file that they become.
package enum TemporaryName {
    private static let prefix = Array(".fp-".utf8)
    /// Not ".part", which Nextcloud and ownCloud refuse.
    private static let suffix = Array(".tmp".utf8)

    /// The series that new names come from instead of random ones: a transfer uses its own series for each file, so
    /// that its next run can remove what a killed one left.
    @TaskLocal package static var series: Series?

    /// Returns a new name. It does not contain the final name, which may be as long as names can be.
    package static func make() -> ItemName { series?.next() ?? random() }

    /// Returns a random name of no series, for a file that is removed again within the call.
    package static func random() -> ItemName { name(digits(.random(in: 0 ... .max))) }

    /// Returns the name without its dot, for storages that take no name which begins with one; nothing recognizes it.
    package static func visible(_ name: ItemName) -> ItemName { ItemName(unchecked: Array(name.bytes.dropFirst())) }

    /// Returns whether a name is one of these. A user's own name that merely begins and ends like them is not.
    package static func isOurs(_ name: ItemName) -> Bool {
        guard name.bytes.starts(with: prefix), name.bytes.suffix(suffix.count).elementsEqual(suffix) else {
            return false
        }
        let middle = name.bytes.dropFirst(prefix.count).dropLast(suffix.count)
        return (width...width + 1).contains(middle.count) && middle.allSatisfy(isDigit)
    }

    /// The number of base-36 digits of the largest number; all names have that many. Those of a series have one more.
    private static let width = 13

    private static func digits(_ number: UInt64) -> String {
        let digits = String(number, radix: 36)
        return String(repeating: "0", count: width - digits.count) + digits
    }

    private static func isDigit(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
    }

    private static func name(_ middle: String) -> ItemName { ItemName(unchecked: prefix + Array(middle.utf8) + suffix) }

    /// The names for one file's attempts, the same for the same key.
    package final class Series: Sendable {
        private let key: @Sendable () -> UInt64
        private let used: Locked<Int>
        private let onUse: @Sendable (_ count: Int) -> Void

        /// - Parameters:
        ///   - key: identifies the file and the transfer among all others; evaluated when a name is needed.
        ///   - used: the number of names already used.
        ///   - onUse: called before a name is handed out, with the count that includes it.
        package init(
            key: @escaping @Sendable () -> UInt64, used: Int = 0,
            onUse: @escaping @Sendable (_ count: Int) -> Void = { _ in }
        ) {
            self.key = key
            self.used = Locked(used)
            self.onUse = onUse
        }

        /// The number of names handed out.
        package var count: Int { used.withLock { $0 } }

        /// The distinct names that were handed out: at most 36, since they repeat after that.
        package var names: [ItemName] {
            let count = count
            if count == 0 { return [] }
            let key = key()
            return (0..<min(count, 36)).map { Self.name($0, of: key) }
        }

        package func next() -> ItemName {
            let index = used.withLock { used in
                defer { used += 1 }
                return used
            }
            onUse(index + 1)
            return Self.name(index, of: key())
        }

        private static func name(_ index: Int, of key: UInt64) -> ItemName {
            TemporaryName.name(digits(key) + String(index % 36, radix: 36))
        }
    }
}
