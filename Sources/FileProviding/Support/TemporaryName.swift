/// Names for files on their way, hidden and recognisable, in the directory of the file that they become.
package enum TemporaryName {
    private static let prefix = Array(".fp-".utf8)
    /// No ".part", which Nextcloud and ownCloud refuse.
    private static let suffix = Array(".tmp".utf8)

    /// Where fresh names come from, when not from chance: a transfer brings a series of its own for each file, so that its
    /// next run can take away what a killed one left.
    @TaskLocal package static var series: Series?

    /// A fresh name; it does not hold the final name, which may be as long as names can be.
    package static func make() -> ItemName { series?.next() ?? random() }

    /// A fresh name of no series, for what is gone again within the call.
    package static func random() -> ItemName { name(String(UInt64.random(in: 0 ... .max), radix: 36)) }

    /// Whether a name is one of these.
    package static func isOurs(_ name: ItemName) -> Bool {
        name.bytes.starts(with: prefix) && name.bytes.suffix(suffix.count).elementsEqual(suffix)
            && name.bytes.count <= 24
    }

    private static func name(_ middle: String) -> ItemName { ItemName(unchecked: prefix + Array(middle.utf8) + suffix) }

    /// The names of one file's attempts, the same for the same key.
    package final class Series: Sendable {
        private let key: @Sendable () -> UInt64
        private let used: Locked<Int>
        private let onUse: @Sendable (_ count: Int) -> Void

        /// - Parameters:
        ///   - key: tells the file and the transfer from all others; asked for when a name is wanted.
        ///   - used: how many of the names are taken.
        ///   - onUse: told, before a name is handed out, how many there are with it.
        package init(
            key: @escaping @Sendable () -> UInt64, used: Int = 0,
            onUse: @escaping @Sendable (_ count: Int) -> Void = { _ in }
        ) {
            self.key = key
            self.used = Locked(used)
            self.onUse = onUse
        }

        /// How many names were handed out.
        package var count: Int { used.withLock { $0 } }

        /// The names that were handed out; the last 36 of them, where they begin to repeat.
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
            TemporaryName.name(String(key, radix: 36) + String(index % 36, radix: 36))
        }
    }
}
