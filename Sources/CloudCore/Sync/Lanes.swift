/// The order of sync records: those that touch the same item, the same name or a directory above run one after another,
/// all others in parallel.
struct Lanes: Sendable {
    /// What a record touches.
    enum Key: Hashable, Sendable {
        case item(LocalID)
        /// A name in a directory, and every other that a server may take for the same.
        case place(folded: String, in: LocalID)

        static func place(_ place: Place) -> Key { .place(folded: place.name.folded, in: place.parentID) }
    }

    /// What a record changes, and what must not change while it runs.
    struct Touch: Hashable, Sendable {
        var changed: Set<Key>
        var used: Set<Key>
    }

    private struct Lane {
        var changing: Set<Int64> = []
        var using: Set<Int64> = []

        var isEmpty: Bool { changing.isEmpty && using.isEmpty }
    }

    private var lanes: [Key: Lane] = [:]
    private var touches: [Int64: Touch] = [:]
    private var followers: [Int64: Set<Int64>] = [:]
    private var obstacles: [Int64: Set<Int64>] = [:]

    /// Adds a record after all others that it must not overtake. Call in the order of the records.
    ///
    /// - Returns: whether it may run at once.
    mutating func add(_ record: Int64, touching touch: Touch) -> Bool {
        let others = join(record, touch)
        for other in others { wait(record, for: other) }
        return others.isEmpty
    }

    /// Changes what a record touches, in its turn: later ones stay after it, except those that are in progress.
    ///
    /// - Returns: the records that may run now, in order, and those that no longer may.
    mutating func change(
        _ record: Int64, touching touch: Touch, isUnderWay: (Int64) -> Bool
    ) -> (free: [Int64], held: Set<Int64>) {
        let freed = remove(record)
        var held: Set<Int64> = []
        for other in join(record, touch) {
            if other < record || isUnderWay(other) {
                wait(record, for: other)
            } else {
                wait(other, for: record)
                held.insert(other)
            }
        }
        if obstacles[record]?.isEmpty == false { held.insert(record) }
        return (([record] + freed).filter { !held.contains($0) }, held)
    }

    /// - Returns: the others that touch the same.
    private mutating func join(_ record: Int64, _ touch: Touch) -> Set<Int64> {
        var others: Set<Int64> = []
        for key in touch.changed {
            others.formUnion(lanes[key]?.changing ?? [])
            others.formUnion(lanes[key]?.using ?? [])
            lanes[key, default: Lane()].changing.insert(record)
        }
        for key in touch.used.subtracting(touch.changed) {
            others.formUnion(lanes[key]?.changing ?? [])
            lanes[key, default: Lane()].using.insert(record)
        }
        touches[record] = touch
        obstacles[record] = []
        return others
    }

    private mutating func wait(_ record: Int64, for other: Int64) {
        followers[other, default: []].insert(record)
        obstacles[record, default: []].insert(other)
    }

    /// Removes a record.
    ///
    /// - Returns: the records that may run now, in order.
    mutating func remove(_ record: Int64) -> [Int64] {
        guard let touch = touches.removeValue(forKey: record) else { return [] }
        for key in touch.changed { leave(key) { $0.changing.remove(record) } }
        for key in touch.used { leave(key) { $0.using.remove(record) } }
        for other in obstacles.removeValue(forKey: record) ?? [] { followers[other]?.remove(record) }
        var free: [Int64] = []
        for follower in followers.removeValue(forKey: record) ?? [] {
            obstacles[follower]?.remove(record)
            if obstacles[follower]?.isEmpty == true { free.append(follower) }
        }
        return free.sorted()
    }

    private mutating func leave(_ key: Key, _ remove: (inout Lane) -> Int64?) {
        guard let index = lanes.index(forKey: key) else { return }
        _ = remove(&lanes.values[index])
        if lanes.values[index].isEmpty { lanes.remove(at: index) }
    }
}
