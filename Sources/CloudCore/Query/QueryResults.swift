import FileProviding

/// A query's results as they are, as the owner last saw them, and the items in which the two may differ.
struct QueryResults: Sendable {
    /// Every item that belongs to the query, in order, even beyond its limit.
    private(set) var all: [Item] = []
    private var seen: [Item] = []
    private var touched: Set<LocalID> = []
    /// Whether another limit or order shows other items than were seen, without the owner having been notified.
    private var isReordered = false
    let limit: Int?
    let precedes: @Sendable (Item, Item) -> Bool

    init(limit: Int?, precedes: @escaping @Sendable (Item, Item) -> Bool) {
        self.limit = limit.map { max(0, $0) }
        self.precedes = precedes
    }

    /// The items that the owner is to see.
    var visible: [Item] { limit.map { Array(all.prefix($0)) } ?? all }

    /// What changed items do to results.
    struct Absorption: Sendable {
        fileprivate var all: [Item]
        fileprivate var touched: Set<LocalID>
    }

    /// Returns what changed items do: each is removed from its position, and those that `belong` are inserted where
    /// they belong now. `nil` if they change nothing.
    ///
    /// It calls the owner's code, `belong` and the order: never under a lock.
    func absorption(of changed: [Item], belong: (Item) -> Bool) -> Absorption? {
        let ids = Set(changed.lazy.map(\.localID))
        let arriving = changed.filter(belong).sorted(by: precedes)
        var kept = all
        kept.removeAll { ids.contains($0.localID) }
        guard kept.count < all.count || !arriving.isEmpty else { return nil }
        var touched = Set(arriving.lazy.map(\.localID))
        if kept.count < all.count { for item in all where ids.contains(item.localID) { touched.insert(item.localID) } }
        return Absorption(all: merged(kept, arriving), touched: touched)
    }

    /// Applies what was determined of these results.
    mutating func absorb(_ absorption: Absorption) {
        all = absorption.all
        touched.formUnion(absorption.touched)
    }

    /// Replaces all items, in order. Those that have not changed are not touched.
    ///
    /// - Returns: whether the results have changed.
    mutating func replace(with items: [Item]) -> Bool {
        defer { isReordered = false }
        return replaceAll(with: items) || isReordered
    }

    private mutating func replaceAll(with items: [Item]) -> Bool {
        // Before the owner's first look everything is new, whatever has been touched.
        if seen.isEmpty {
            defer { all = items }
            return all != items
        }
        var old = Dictionary(all.lazy.map { ($0.localID, $0) }) { first, _ in first }
        var isOther = all.count != items.count
        for item in items where old.removeValue(forKey: item.localID) != item {
            touched.insert(item.localID)
            isOther = true
        }
        touched.formUnion(old.keys)
        isOther = isOther || !old.isEmpty
        // Untouched items can only be in another order if the order itself has changed.
        if !isOther { isOther = !zip(all, items).allSatisfy { $0.localID == $1.localID } }
        if isOther { touched.formUnion(items.lazy.map(\.localID)) }
        all = items
        return isOther
    }

    /// Returns what the owner has not seen yet, and marks it as seen.
    mutating func takeChanges() -> QueryChangeSet {
        let now = visible
        if limit != nil {
            // What comes into view or leaves it need not have changed itself.
            touched.formUnion(Set(seen.lazy.map(\.localID)).symmetricDifference(now.lazy.map(\.localID)))
        }
        let changes = QueryChangeSet(from: seen, to: now, touched: touched)
        seen = now
        touched.removeAll(keepingCapacity: true)
        return changes
    }

    /// Returns the same results in another order or with another limit, for the owner to compare with.
    func reordered(limit: Int?, precedes: @escaping @Sendable (Item, Item) -> Bool) -> QueryResults {
        var results = QueryResults(limit: limit, precedes: precedes)
        results.all = all
        results.seen = seen
        // What another limit brings into view or removes from it is a change too.
        let present = Set(seen.lazy.map(\.localID)).union(results.visible.lazy.map(\.localID))
        results.touched = touched.union(present)
        results.isReordered = results.visible != seen
        return results
    }

    /// Merges sorted new items into a sorted array: one search for each, one copy of the rest.
    private func merged(_ items: [Item], _ arriving: [Item]) -> [Item] {
        guard let first = arriving.first, !items.isEmpty else { return items.isEmpty ? arriving : items }
        var result: [Item] = []
        result.reserveCapacity(items.count + arriving.count)
        var start = items.partitioningIndex { !precedes($0, first) }
        result.append(contentsOf: items[..<start])
        for item in arriving {
            let end = items[start...].partitioningIndex { !precedes($0, item) }
            result.append(contentsOf: items[start..<end])
            result.append(item)
            start = end
        }
        result.append(contentsOf: items[start...])
        return result
    }
}
