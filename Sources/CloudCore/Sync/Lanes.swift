/// The order of sync records: those that touch the same item, the same name or a directory above go one after the other,
/// all others side by side.
struct Lanes: Sendable {
    /// What a record touches.
    enum Key: Hashable, Sendable {
        case item(LocalID)
        case place(Place)
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
    private var obstacles: [Int64: Int] = [:]

    /// Puts a record behind all others that it must not overtake. Call in the order of the records.
    ///
    /// - Returns: whether it is free to go at once.
    mutating func add(_ record: Int64, touching touch: Touch) -> Bool {
        var before: Set<Int64> = []
        for key in touch.changed {
            before.formUnion(lanes[key]?.changing ?? [])
            before.formUnion(lanes[key]?.using ?? [])
            lanes[key, default: Lane()].changing.insert(record)
        }
        for key in touch.used.subtracting(touch.changed) {
            before.formUnion(lanes[key]?.changing ?? [])
            lanes[key, default: Lane()].using.insert(record)
        }
        for other in before { followers[other, default: []].insert(record) }
        touches[record] = touch
        obstacles[record] = before.count
        return before.isEmpty
    }

    /// Takes a record out.
    ///
    /// - Returns: the records that are free to go now, in order.
    mutating func remove(_ record: Int64) -> [Int64] {
        guard let touch = touches.removeValue(forKey: record) else { return [] }
        for key in touch.changed { leave(key) { $0.changing.remove(record) } }
        for key in touch.used { leave(key) { $0.using.remove(record) } }
        obstacles[record] = nil
        var free: [Int64] = []
        for follower in followers.removeValue(forKey: record) ?? [] {
            guard let left = obstacles[follower] else { continue }
            obstacles[follower] = left - 1
            if left == 1 { free.append(follower) }
        }
        return free.sorted()
    }

    private mutating func leave(_ key: Key, _ remove: (inout Lane) -> Int64?) {
        guard let index = lanes.index(forKey: key) else { return }
        _ = remove(&lanes.values[index])
        if lanes.values[index].isEmpty { lanes.remove(at: index) }
    }
}
