extension FileQuery {
    /// The keys that a text may use, by all their spellings.
    struct KeyTable: Sendable {
        private let keys: [String: Key]

        /// The keys that all providers share.
        static let shared = KeyTable(Key.known)

        /// Returns the shared keys and a provider's own.
        static func shared(with custom: [Key]) -> KeyTable {
            custom.isEmpty ? shared : KeyTable(Key.known + custom)
        }

        private init(_ keys: [Key]) {
            var table: [String: Key] = [:]
            for key in keys {
                for name in [key.name] + key.aliases { table[name] = key }
            }
            self.keys = table
        }

        /// The key with exactly this spelling.
        subscript(name: String) -> Key? {
            keys[name]
        }

        /// Returns advice about a name that is none of the keys: the key that was probably meant, or all of them.
        func advice(for name: String) -> String {
            let nearest = keys.keys.map { ($0, Self.distance(name.lowercased(), $0.lowercased())) }
                .min { ($0.1, $0.0) < ($1.1, $1.0) }
            guard let nearest, nearest.1 <= max(1, name.count / 3) else {
                let names = Set(keys.values.map(\.name)).sorted().joined(separator: ", ")
                return "The keys are \(names); text goes in quotes"
            }
            return "Did you mean \"\(nearest.0)\"?"
        }

        /// Returns the number of letters to insert, delete or replace to get from one name to the other (Levenshtein
        /// distance).
        private static func distance(_ left: String, _ right: String) -> Int {
            // A long name is similar to no key; do not spend quadratic time on it.
            guard left.utf8.count <= 64 else { return .max }
            let right = Array(right.utf8)
            var row = Array(0...right.count)
            for (index, letter) in left.utf8.enumerated() {
                var diagonal = row[0]
                row[0] = index + 1
                for column in right.indices {
                    let replaced = diagonal + (letter == right[column] ? 0 : 1)
                    diagonal = row[column + 1]
                    row[column + 1] = min(replaced, row[column] + 1, diagonal + 1)
                }
            }
            return row[right.count]
        }
    }
}
