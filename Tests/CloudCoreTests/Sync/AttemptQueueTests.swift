import FileProviding
import Testing

@testable import CloudCore

@Suite struct AttemptQueueTests {
    @Test func `what waits goes in the order of the commands, as far as its share has room`() async throws {
        let queue = Locked(AttemptQueue())
        let (arrivals, arrival) = AsyncStream.makeStream(of: Void.self)
        var next = arrivals.makeAsyncIterator()
        await withTaskGroup(of: Void.self) { group in
            for (number, kind) in [(5, SyncAction.download), (4, upload), (2, upload), (3, .download), (1, upload)] {
                group.addTask {
                    _ = await withCheckedContinuation { go in
                        queue.withLock { $0.insert(record(Int64(number), kind), go) }
                        arrival.yield()
                    }
                }
                await next.next()
            }
            #expect(pop(queue) { _ in false } == nil)
            #expect(pop(queue) { $0 == .downloads } == 3)
            #expect(call(off: 2, queue) == 2)
            #expect(call(off: 2, queue) == nil)
            #expect((0..<3).map { _ in pop(queue) { _ in true } } == [1, 4, 5])
            #expect(pop(queue) { _ in true } == nil)
        }
    }

    private var upload: SyncAction { .upload(LocalCopy(id: "copy", name: "file"), to: nil) }

    private func pop(_ queue: Locked<AttemptQueue>, where hasRoom: (SyncBudget.Share) -> Bool) -> Int64? {
        let element = queue.withLock { $0.popFirst(where: hasRoom) }
        element?.go.resume(returning: true)
        return element?.record.number
    }

    private func call(off number: Int64, _ queue: Locked<AttemptQueue>) -> Int64? {
        let element = queue.withLock { $0.remove(number) }
        element?.go.resume(returning: false)
        return element?.record.number
    }
}

private func record(_ number: Int64, _ action: SyncAction) -> SyncRecord {
    SyncRecord(
        id: EventID(), number: number, itemID: LocalID(rawValue: number), action: action, phase: .running, waits: [],
        attempts: 1, forgivenAttempts: 0, refusals: 0, isDoubtful: false, failure: nil, completed: 0, total: nil,
        queuedAt: FileTime(nanoseconds: 0))
}
