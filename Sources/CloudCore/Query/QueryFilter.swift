/// Decides in memory which of a query's items its results have; asked again for an item whenever it changes.
public protocol QueryFilter: Sendable {
    /// Whether the results have this item.
    func shouldInclude(_ item: Item) -> Bool
}

/// A filter made of a closure.
public struct ClosureQueryFilter: QueryFilter {
    private let include: @Sendable (Item) -> Bool

    /// A filter that asks `include`.
    public init(_ include: @escaping @Sendable (Item) -> Bool) { self.include = include }

    /// What the closure says.
    public func shouldInclude(_ item: Item) -> Bool { include(item) }
}
