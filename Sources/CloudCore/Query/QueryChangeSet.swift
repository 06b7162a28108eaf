import FileProviding

/// The exact difference between a query's results as its owner last saw them (old) and as they are now (new).
///
/// To get the new array, remove from the old one what is ``removed`` and what moves away, from the back; then insert
/// what is ``inserted`` and what moves here, from the front; then replace what is ``updated``. ``apply(to:)`` does so,
/// and batch updates of list views work the same way. The difference is compact: an item that did not change is not in
/// it, however far others pushed it.
public struct QueryChangeSet: Sendable, Hashable {
    /// An item and its current position.
    public struct Placed: Sendable, Hashable {
        /// The current item.
        public var item: Item
        /// Its index in the new array.
        public var index: Int

        /// Creates the item's current position.
        public init(item: Item, index: Int) {
            self.item = item
            self.index = index
        }
    }

    /// An item whose position among the others has changed.
    public struct Move: Sendable, Hashable {
        /// Its index in the old array.
        public var from: Int
        /// Its index in the new array.
        public var to: Int

        /// Creates the change of a position.
        public init(from: Int, to: Int) {
            self.from = from
            self.to = to
        }
    }

    /// The indexes in the old array of removed items, ascending.
    public internal(set) var removed: [Int] = []
    /// The new items, by ascending index.
    public internal(set) var inserted: [Placed] = []
    /// The moved items, by ascending index in the new array. A moved item that changed as well is also ``updated``.
    public internal(set) var moved: [Move] = []
    /// The changed items, by ascending index.
    public internal(set) var updated: [Placed] = []

    /// Creates a difference by hand, for tests of what shows results. Each list is ascending, as its property says.
    public init(removed: [Int] = [], inserted: [Placed] = [], moved: [Move] = [], updated: [Placed] = []) {
        self.removed = removed
        self.inserted = inserted
        self.moved = moved
        self.updated = updated
    }

    /// Whether nothing has changed.
    public var isEmpty: Bool { removed.isEmpty && inserted.isEmpty && moved.isEmpty && updated.isEmpty }

    /// Turns the old array into the new one, in one pass.
    public func apply(to items: inout [Item]) {
        let old = items
        let leaving = Set(removed).union(moved.map(\.from))
        let arriving =
            (inserted.map { ($0.index, $0.item) } + moved.map { ($0.to, old[$0.from]) }).sorted { $0.0 < $1.0 }
        var staying = old.indices.lazy.filter { !leaving.contains($0) }.makeIterator()
        items.removeAll(keepingCapacity: true)
        for (index, item) in arriving {
            while items.count < index, let next = staying.next() { items.append(old[next]) }
            items.append(item)
        }
        while let next = staying.next() { items.append(old[next]) }
        for place in updated { items[place.index] = place.item }
    }
}
