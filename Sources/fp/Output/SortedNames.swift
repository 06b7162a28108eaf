import FileProviders

/// The names of a directory's items, kept until all are there and in order then. Of each item stays only what decides and what
/// shows: 300,000 whole ones of a WebDAV server take more than 100 MB.
struct SortedNames {
    /// An item's name, and whether it is a directory's.
    struct Entry {
        let name: ItemName
        let isDirectory: Bool
        /// The largest comes first; names decide between equal ones.
        fileprivate let rank: Int64
    }

    private let order: ListCommand.Order
    private var entries: [Entry] = []

    init(by order: ListCommand.Order) { self.order = order }

    mutating func add(_ items: [FileObject]) {
        for item in items {
            let rank =
                switch order {
                case .name: Int64(0)
                case .size: item.size ?? 0
                case .time: item.modificationTime?.nanoseconds ?? .min
                }
            entries.append(Entry(name: item.itemName, isDirectory: item.isDirectory, rank: rank))
        }
    }

    /// All entries in the order that `FileObjectSorting` gives the whole items.
    consuming func sorted() -> [Entry] {
        var entries = entries
        entries.sort { a, b in
            if a.rank != b.rank { return a.rank > b.rank }
            let natural = order == .name ? NaturalOrder.compare(a.name.bytes, b.name.bytes) : 0
            return natural != 0 ? natural < 0 : a.name < b.name
        }
        return entries
    }
}
