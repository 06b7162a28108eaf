import FileProviding

/// The order of a query's results: by keys, which the database sorts by, or by a custom comparator.
///
/// Every order is made total by the name's bytes and the permanent identifier.
public struct QuerySorting: Sendable {
    let precedes: @Sendable (Item, Item) -> Bool
    /// The keys to sort by, or `nil` for a comparator.
    let keys: FileObjectSorting?

    /// Returns an order by a property.
    public static func by(_ sorting: FileObjectSorting) -> QuerySorting {
        QuerySorting(precedes: { Self.precedes(sorting, $0, $1) }, keys: sorting)
    }

    /// The order by name that users expect: digits by value, letters ignoring case.
    public static let name = by(FileObjectSorting(.name))

    /// Returns an order in which an item comes before another when `areInIncreasingOrder` returns true, which must be a
    /// strict weak ordering.
    public static func comparator(_ areInIncreasingOrder: @escaping @Sendable (Item, Item) -> Bool) -> QuerySorting {
        QuerySorting(
            precedes: { a, b in
                if areInIncreasingOrder(a, b) { return true }
                return areInIncreasingOrder(b, a) ? false : precedesByName(a, b)
            }, keys: nil)
    }

    private static func precedes(_ sorting: FileObjectSorting, _ a: Item, _ b: Item) -> Bool {
        if sorting.directoriesFirst, a.isDirectory != b.isDirectory { return a.isDirectory }
        let order = sorting.ascending ? compare(sorting.key, a, b) : compare(sorting.key, b, a)
        return order != 0 ? order < 0 : precedesByName(a, b)
    }

    private static func precedesByName(_ a: Item, _ b: Item) -> Bool {
        a.itemName == b.itemName ? a.localID < b.localID : a.itemName < b.itemName
    }

    private static func compare(_ key: FileObjectSorting.Key, _ a: Item, _ b: Item) -> Int {
        switch key {
        case .name: NaturalOrder.compare(a.itemName, b.itemName)
        case .path: order(a.path, b.path)
        case .size: order(a.size ?? 0, b.size ?? 0)
        case .modifiedDate: order(a.modificationTime?.nanoseconds ?? .min, b.modificationTime?.nanoseconds ?? .min)
        case .creationDate:
            order(a.version.creationTime?.nanoseconds ?? .min, b.version.creationTime?.nanoseconds ?? .min)
        case .extension: order(a.itemName.pathExtension, b.itemName.pathExtension)
        }
    }

    private static func order<Value: Comparable>(_ a: Value, _ b: Value) -> Int { a < b ? -1 : a == b ? 0 : 1 }
}
