/// A filter that decides in memory which of a query's items are in its results; called again for an item whenever it
/// changes.
public protocol QueryFilter: Sendable {
    /// Returns whether the results include this item.
    func shouldInclude(_ item: Item) -> Bool
}

/// A filter made of a closure.
public struct ClosureQueryFilter: QueryFilter {
    private let include: @Sendable (Item) -> Bool

    /// Creates a filter that calls `include`.
    public init(_ include: @escaping @Sendable (Item) -> Bool) { self.include = include }

    /// Returns what the closure returns.
    public func shouldInclude(_ item: Item) -> Bool { include(item) }
}
