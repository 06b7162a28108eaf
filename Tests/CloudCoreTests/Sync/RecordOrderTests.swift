import FileProviding
import Testing

@testable import CloudCore

@Suite struct RecordOrderTests {
    /// The order behind a reference, for the macro.
    private final class Order {
        private var order = RecordOrder()

        var hasNews: Bool { order.hasNews }

        func beginReading() -> RecordOrder.Reading { order.beginReading() }

        func endReading(_ reading: RecordOrder.Reading, new: [Int64] = [], others: [Int64: SyncRecord?] = [:]) {
            order.endReading(reading, new: new.map { standing(record($0)) }, others: others.mapValues(standing))
        }

        /// Reads new records.
        func add(_ numbers: Int64...) { endReading(beginReading(), new: numbers) }

        func note(_ changed: Int64...) { order.note(changed: Set(changed)) }

        func update(_ number: Int64, _ record: SyncRecord?) { order.update([number: standing(record)]) }

        func begin(_ number: Int64) { order.begin(record(number)) }

        func end(_ number: Int64, until time: FileTime? = nil) { order.end(number, until: time) }

        func firstTime(after time: FileTime) -> FileTime? { order.firstTime(after: time) }

        /// Returns the next record, which is none that waits for anything.
        func next() -> Int64? { order.next(within: SyncBudget()) { _ in false }?.number }

        private func standing(_ record: SyncRecord?) -> SyncRecord.Standing? { record.map(standing) }

        private func standing(_ record: SyncRecord) -> SyncRecord.Standing {
            (record, Lanes.Touch(changed: [.item(record.itemID)], used: []))
        }
    }

    @Test func `records begin in their order, and one that waits lets others pass`() {
        let order = Order()
        order.add(1, 2)
        order.update(1, record(1, waits: [.answer]))
        #expect(order.next() == 2)
        order.update(1, record(1))
        #expect(order.next() == 1)
    }

    @Test func `of many new records some are read at a time`() {
        let order = Order()
        order.note()
        let portion = Int64(RecordOrder.Reading.portion)
        order.endReading(order.beginReading(), new: Array(1...portion))
        #expect(order.hasNews)
        #expect(order.beginReading().last == portion)
    }

    @Test func `what was read before an update does not undo it`() {
        let order = Order()
        order.add(1)
        order.note(1)
        let reading = order.beginReading()
        #expect(reading.changed == [1])
        order.update(1, record(1, waits: [.answer]))
        order.endReading(reading, others: [1: record(1)])
        #expect(order.next() == nil)
        #expect(order.hasNews)
        #expect(order.beginReading().changed == [1])
    }

    @Test func `a record that is gone by the time it was read stays gone`() {
        let order = Order()
        order.add(1)
        order.note(1)
        let reading = order.beginReading()
        order.update(1, nil)
        order.endReading(reading, others: [1: record(1)])
        #expect(order.next() == nil)
    }

    @Test func `a new record that was updated while it was read is read again`() {
        let order = Order()
        let reading = order.beginReading()
        order.update(1, nil)
        order.endReading(reading, new: [1])
        #expect(order.hasNews)
        #expect(order.beginReading().changed == [1])
    }

    @Test func `what a command changes in a record that is in progress is applied when that ends`() {
        let order = Order()
        order.add(1)
        order.begin(1)
        order.note(1)
        #expect(order.beginReading().changed == [])
        #expect(!order.hasNews)
        order.end(1)
        #expect(order.hasNews)
        #expect(order.beginReading().changed == [1])
    }

    @Test func `a record that may begin again later waits until then`() {
        let order = Order()
        order.add(1)
        order.begin(1)
        #expect(order.next() == nil)
        order.end(1, until: FileTime(seconds: 20))
        #expect(order.next() == nil)
        #expect(order.firstTime(after: FileTime(seconds: 10)) == FileTime(seconds: 20))
    }
}

private func record(_ number: Int64, waits: [WaitCondition] = []) -> SyncRecord {
    SyncRecord(
        id: EventID(), number: number, itemID: LocalID(rawValue: number), action: .download, phase: .ready,
        waits: waits, attempts: 0, forgivenAttempts: 0, refusals: 0, isDoubtful: false, failure: nil, completed: 0,
        total: nil, queuedAt: FileTime(nanoseconds: 0))
}
