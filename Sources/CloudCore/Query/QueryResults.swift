import FileProviding

/// A query's results as they are, as the owner last saw them, and which items may tell the two apart.
struct QueryResults: Sendable {
    /// Every item that belongs to the query, in order, beyond its limit too.
    private(set) var all: [Item] = []
    private var seen: [Item] = []
    private var touched: Set<LocalID> = []
    /// Whether another limit or order shows others than were seen, which nobody has been told yet.
    private var isReordered = false
    let limit: Int?
    let precedes: @Sendable (Item, Item) -> Bool

    init(limit: Int?, precedes: @escaping @Sendable (Item, Item) -> Bool) {
        self.limit = limit.map { max(0, $0) }
        self.precedes = precedes
    }

    /// What the owner is to see.
    var visible: [Item] { limit.map { Array(all.prefix($0)) } ?? all }

    /// Takes over changed items: each leaves its place, and those that `belong` come to where they belong now.
    ///
    /// - Returns: whether the results are others now.
    mutating func absorb(_ changed: [Item], belong: (Item) -> Bool) -> Bool {
        let ids = Set(changed.lazy.map(\.localID))
        let arriving = changed.filter(belong).sorted(by: precedes)
        var kept = all
        kept.removeAll { ids.contains($0.localID) }
        guard kept.count < all.count || !arriving.isEmpty else { return false }
        if kept.count < all.count { for item in all where ids.contains(item.localID) { touched.insert(item.localID) } }
        for item in arriving { touched.insert(item.localID) }
        all = merged(kept, arriving)
        return true
    }

    /// Takes over all items anew, in order. Those that are as they were are not touched.
    ///
    /// - Returns: whether the results are others now.
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
        // Untouched items can stand in another order only when the order itself is another.
        if !isOther { isOther = !zip(all, items).allSatisfy { $0.localID == $1.localID } }
        if isOther { touched.formUnion(items.lazy.map(\.localID)) }
        all = items
        return isOther
    }

    /// What the owner has not seen yet; from now on it has.
    mutating func takeChanges() -> QueryChangeSet {
        let now = visible
        if limit != nil {
            // What comes into and goes out of sight need not have changed itself.
            touched.formUnion(Set(seen.lazy.map(\.localID)).symmetricDifference(now.lazy.map(\.localID)))
        }
        let changes = QueryChangeSet(from: seen, to: now, touched: touched)
        seen = now
        touched.removeAll(keepingCapacity: true)
        return changes
    }

    /// The same results for the owner to compare with, in another order or with another limit.
    func reordered(limit: Int?, precedes: @escaping @Sendable (Item, Item) -> Bool) -> QueryResults {
        var results = QueryResults(limit: limit, precedes: precedes)
        results.all = all
        results.seen = seen
        // What comes into and goes out of sight by another limit is news too.
        let present = Set(seen.lazy.map(\.localID)).union(results.visible.lazy.map(\.localID))
        results.touched = touched.union(present)
        results.isReordered = results.visible != seen
        return results
    }

    /// Puts sorted arrivals into a sorted array: one search for each, one copy of the rest.
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
