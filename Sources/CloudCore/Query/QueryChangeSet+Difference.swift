import FileProviding

extension QueryChangeSet {
    /// Creates the difference between two arrays whose elements, except for those in `touched`, are the same in the
    /// same order.
    ///
    /// Visits each element once, and takes `k log k` steps for `k` touched ones.
    init(from old: [Item], to new: [Item], touched: Set<LocalID>) {
        if old.isEmpty {
            inserted = new.enumerated().map { Placed(item: $1, index: $0) }
            return
        }
        let before = Self.places(of: touched, in: old)
        let after = Self.places(of: touched, in: new)
        let oldPlaces = Dictionary(before.map { ($0.id, $0) }) { first, _ in first }
        let survivors = Set(after.lazy.map(\.id).filter { oldPlaces[$0] != nil })
        let staying = Self.staying(after, oldPlaces)
        removed = before.filter { !survivors.contains($0.id) }.map(\.index)
        for place in after {
            guard let oldPlace = oldPlaces[place.id] else {
                inserted.append(Placed(item: new[place.index], index: place.index))
                continue
            }
            if !staying.contains(place.id) { moved.append(Move(from: oldPlace.index, to: place.index)) }
            if old[oldPlace.index] != new[place.index] {
                updated.append(Placed(item: new[place.index], index: place.index))
            }
        }
    }

    /// The position of a touched element.
    private struct Place {
        var id: LocalID
        var index: Int
        /// The number of untouched elements before it.
        var gap: Int
    }

    private static func places(of touched: Set<LocalID>, in items: [Item]) -> [Place] {
        var places: [Place] = []
        guard !touched.isEmpty else { return places }
        for (index, item) in items.enumerated() where touched.contains(item.localID) {
            places.append(Place(id: item.localID, index: index, gap: index - places.count))
        }
        return places
    }

    /// Returns the touched elements that need not be moved: those between the same untouched ones as before and, if
    /// several are in one such gap, the most that are in their old order.
    private static func staying(_ after: [Place], _ old: [LocalID: Place]) -> Set<LocalID> {
        var staying: Set<LocalID> = []
        var gap: [Place] = []
        func keepOrdered() {
            let indexes = gap.map { old[$0.id]!.index }
            for kept in longestIncreasingSubsequence(indexes) { staying.insert(gap[kept].id) }
            gap.removeAll(keepingCapacity: true)
        }
        for place in after where old[place.id]?.gap == place.gap {
            if let last = gap.last, last.gap != place.gap { keepOrdered() }
            gap.append(place)
        }
        keepOrdered()
        return staying
    }

    /// Returns the positions of a longest increasing subsequence of distinct numbers.
    static func longestIncreasingSubsequence(_ numbers: [Int]) -> [Int] {
        /// The position of the smallest number that ends a run of each length.
        var ends: [Int] = []
        var previous = [Int?](repeating: nil, count: numbers.count)
        for (position, number) in numbers.enumerated() {
            let length = ends.partitioningIndex { numbers[$0] >= number }
            previous[position] = length > 0 ? ends[length - 1] : nil
            if length == ends.count { ends.append(position) } else { ends[length] = position }
        }
        var run: [Int] = []
        var next = ends.last
        while let position = next {
            run.append(position)
            next = previous[position]
        }
        return run.reversed()
    }
}
