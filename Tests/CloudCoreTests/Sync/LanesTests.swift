import FileProviding
import Testing

@testable import CloudCore

@Suite struct LanesTests {
    private typealias Key = Lanes.Key

    /// Lanes behind a reference, for the macro.
    private final class Order {
        private var lanes = Lanes()

        func add(_ record: Int64, changing: [Key], using: [Key] = []) -> Bool {
            lanes.add(record, touching: Lanes.Touch(changed: Set(changing), used: Set(using)))
        }

        func remove(_ record: Int64) -> [Int64] { lanes.remove(record) }

        func change(_ record: Int64, changing: [Key], underWay: Set<Int64> = []) -> (free: [Int64], held: Set<Int64>) {
            let touch = Lanes.Touch(changed: Set(changing), used: [])
            return lanes.change(record, touching: touch, isUnderWay: underWay.contains)
        }
    }

    private func item(_ number: Int64) -> Key { .item(LocalID(rawValue: number)) }
    private func place(_ name: String) throws -> Key { .place(Place(try .init(validating: name), in: .root)) }

    @Test func `records of different items go side by side, of the same item one after the other`() {
        let lanes = Order()
        #expect(lanes.add(1, changing: [item(10)]))
        #expect(lanes.add(2, changing: [item(11)]))
        #expect(!lanes.add(3, changing: [item(10)]))
        #expect(!lanes.add(4, changing: [item(10)]))
        #expect(lanes.remove(2) == [])
        #expect(lanes.remove(1) == [3])
        #expect(lanes.remove(3) == [4])
    }

    @Test func `many use a directory at once, and who changes it waits for all of them`() {
        let lanes = Order()
        #expect(lanes.add(1, changing: [item(10)], using: [item(5)]))
        #expect(lanes.add(2, changing: [item(11)], using: [item(5)]))
        #expect(!lanes.add(3, changing: [item(5)]))
        #expect(!lanes.add(4, changing: [item(12)], using: [item(5)]))
        #expect(lanes.remove(1) == [])
        #expect(lanes.remove(2) == [3])
        #expect(lanes.remove(3) == [4])
    }

    @Test func `a name is given away before another item gets it`() throws {
        let lanes = Order()
        #expect(lanes.add(1, changing: [item(10), try place("a"), try place("b")]))
        #expect(!lanes.add(2, changing: [item(11), try place("a")]))
        #expect(lanes.remove(1) == [2])
    }

    @Test func `a record that touches something else keeps its turn`() throws {
        let lanes = Order()
        #expect(lanes.add(1, changing: [item(10), try place("a")]))
        #expect(!lanes.add(2, changing: [item(10)]))
        #expect(!lanes.add(3, changing: [item(11), try place("a")]))
        #expect(lanes.add(4, changing: [item(12), try place("b")]))
        #expect(lanes.add(5, changing: [item(13), try place("c")]))
        let order = lanes.change(1, changing: [item(10), try place("b"), try place("c")], underWay: [5])
        #expect(order.free == [3])
        #expect(order.held == [1, 2, 4])
        #expect(lanes.remove(5) == [1])
        #expect(lanes.remove(1) == [2, 4])
    }

    @Test func `a record that goes without its turn lets those behind it pass`() {
        let lanes = Order()
        #expect(lanes.add(1, changing: [item(10)]))
        #expect(!lanes.add(2, changing: [item(10)]))
        #expect(!lanes.add(3, changing: [item(10)]))
        #expect(lanes.remove(2) == [])
        #expect(lanes.remove(1) == [3])
        #expect(lanes.remove(99) == [])
    }

    @Test func `a record that is changed while it waits waits for what it touches then`() {
        let lanes = Order()
        #expect(lanes.add(1, changing: [item(10)]))
        #expect(lanes.add(2, changing: [item(11)]))
        #expect(!lanes.add(3, changing: [item(10)]))
        #expect(lanes.change(3, changing: [item(11)]).free == [])
        #expect(lanes.remove(1) == [])
        #expect(lanes.remove(2) == [3])
    }

    /// Sixteen of them, as it is by chance in which order the directories of one are looked at.
    @Test func `a move uses all directories above both its ends`() async throws {
        let server = try Server()
        for number in 0..<16 {
            try await server.folder(ItemPath(validating: "/to\(number)/below"))
            try await server.write(ItemPath(validating: "/file\(number)"), "")
        }
        try await server.sync()
        var above: [Set<Key>] = []
        for number in 0..<16 {
            let directory = try ItemPath(validating: "/to\(number)/below")
            try await server.move(ItemPath(validating: "/file\(number)"), to: directory.appending("file"))
            above.append([.item(try await server.id(directory)), .item(try await server.id(directory.parent ?? .root))])
        }
        let used = try await server.core.vault.database.read { reader in
            try reader.standings(after: 0, atMost: 100).map(\.touch.used)
        }
        #expect(used == above)
    }

    @Test func `a budget bounds each direction, both together, and everything`() {
        let budget = SyncBudget(total: 4, transfers: 3, uploads: 2, downloads: 2)
        func load(_ uploads: Int = 0, _ downloads: Int = 0, _ others: Int = 0) -> SyncBudget.Load {
            SyncBudget.Load(uploads: uploads, downloads: downloads, others: others)
        }
        #expect(budget.allows(.uploads, beside: load(1)))
        #expect(!budget.allows(.uploads, beside: load(2)))
        #expect(budget.allows(.downloads, beside: load(2)))
        #expect(!budget.allows(.downloads, beside: load(2, 1)))
        #expect(budget.allows(.others, beside: load(2, 1)))
        #expect(!budget.allows(.others, beside: load(2, 1, 1)))
    }
}
