import FileProviding
import TestSupport
import Testing

@testable import CloudCore

@Suite struct QueryChangeSetTests {
    @Test(arguments: 0..<300 as Range<UInt64>)
    func `replaying any difference on the old array gives the new one, and names nothing needless`(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let count = Int.random(in: 0..<40, using: &generator)
        let old = (0..<count).map { Item.sample($0, order: Int.random(in: 0..<10, using: &generator)) }.sorted()
        var new = old
        var touched: Set<LocalID> = []
        for number in 0..<Int.random(in: 0..<15, using: &generator) {
            let index = Int.random(in: 0..<max(1, new.count), using: &generator)
            switch Int.random(in: 0..<4, using: &generator) {
            case 0: new.append(.sample(100 + number, order: Int.random(in: 0..<10, using: &generator)))
            case 1 where !new.isEmpty: touched.insert(new.remove(at: index).localID)
            case 2 where !new.isEmpty:
                let id = Int(new[index].localID.rawValue)
                new[index] = .sample(id, order: Int.random(in: 0..<10, using: &generator), revision: 2)
            case 3 where !new.isEmpty: touched.insert(new[index].localID)  // Touched, but as it was.
            default: break
            }
        }
        for item in new where !old.contains(item) { touched.insert(item.localID) }
        for item in old where !new.contains(item) { touched.insert(item.localID) }
        new.sort()

        let changes = QueryChangeSet(from: old, to: new, touched: touched)
        var replayed = old
        changes.apply(to: &replayed)
        #expect(replayed == new, "seed \(seed)")
        let oldByID = Dictionary(uniqueKeysWithValues: old.map { ($0.localID, $0) })
        let newIDs = Set(new.map(\.localID))
        #expect(changes.removed == old.indices.filter { !newIDs.contains(old[$0].localID) }, "seed \(seed)")
        #expect(changes.inserted.map(\.item) == new.filter { oldByID[$0.localID] == nil }, "seed \(seed)")
        let changed = new.filter { item in oldByID[item.localID].map { $0 != item } ?? false }
        #expect(changes.updated.map(\.item) == changed, "seed \(seed)")
        #expect(changes.moved.allSatisfy { touched.contains(old[$0.from].localID) }, "seed \(seed)")
    }

    @Test func `an item that keeps its neighbours is not moved, however far others push it`() {
        let old = (0..<10).map { Item.sample($0, order: $0) }
        let new = [.sample(50, order: -1)] + old.dropFirst(2)
        let changes = QueryChangeSet(
            from: old, to: new, touched: Set([0, 1, 50, 7].map { LocalID(rawValue: $0) }))
        #expect(changes.removed == [0, 1])
        #expect(changes.inserted.map(\.index) == [0])
        #expect(changes.moved.isEmpty && changes.updated.isEmpty)
    }

    @Test func `of items that change places as few as possible are moved`() {
        let old = (0..<6).map { Item.sample($0, order: $0) }
        let new = [5, 0, 1, 2, 3, 4].map { old[$0] }
        let changes = QueryChangeSet(from: old, to: new, touched: Set(old.map(\.localID)))
        #expect(changes.moved == [QueryChangeSet.Move(from: 5, to: 0)])
    }

    @Test(arguments: 0..<100 as Range<UInt64>)
    func `the longest rising run is one, and none is longer`(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let numbers = Array((0..<Int.random(in: 0..<10, using: &generator)).shuffled(using: &generator))
        let run = QueryChangeSet.longestIncreasingSubsequence(numbers).map { numbers[$0] }
        #expect(run == run.sorted())
        var best = 0
        for subset in 0..<(1 << numbers.count) where subset.nonzeroBitCount > best {
            let chosen = numbers.indices.filter { subset & (1 << $0) != 0 }.map { numbers[$0] }
            if chosen == chosen.sorted() { best = chosen.count }
        }
        #expect(run.count == best, "seed \(seed)")
    }
}

extension Item {
    /// An item that sorts by `order`, then by identifier.
    fileprivate static func sample(_ id: Int, order: Int, revision: Int64 = 1) -> Item {
        var version = ServerVersion(type: .regular)
        version.size = Int64(order)
        return Item(
            localID: LocalID(rawValue: Int64(id)), path: ItemPath(stringLiteral: "/\(id)"), version: version,
            revision: revision)
    }
}

extension [Item] {
    fileprivate mutating func sort() {
        sort { ($0.size!, $0.localID.rawValue) < ($1.size!, $1.localID.rawValue) }
    }

    fileprivate func sorted() -> [Item] {
        var copy = self
        copy.sort()
        return copy
    }
}
