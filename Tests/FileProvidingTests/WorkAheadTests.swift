import FileProviding
import Testing

/// Work on several elements at once, whose results are taken in order.
struct WorkAheadTests {
    /// How much work is in progress, and how much was at most.
    private struct Busy {
        var now = 0
        var most = 0
        var begun: Set<Int> = []
    }

    private struct Failure: Error {}

    @Test func `results come in order, and no more are begun than may be`() async throws {
        let busy = Locked(Busy())
        var taken: [Int] = []
        try await (0..<40).ahead(width: 4) { element in
            busy.withLock { busy in
                busy.now += 1
                busy.most = max(busy.most, busy.now)
                busy.begun.insert(element)
            }
            // The later ones end first.
            for _ in 0..<(40 - element) { await Task.yield() }
            busy.withLock { $0.now -= 1 }
            return element * 2
        } take: { element, result in
            #expect((try? result.get()) == element * 2)
            #expect(busy.withLock { $0.begun.max()! } <= element + 3)
            taken.append(element)
        }
        #expect(taken == Array(0..<40))
        #expect(busy.withLock { $0.most } <= 4)
    }

    @Test(.timeLimit(.minutes(5))) func `the next work has begun when a result is taken`() async throws {
        let (begun, beginning) = AsyncStream.makeStream(of: Int.self)
        try await [1, 2, 3].ahead(width: 2) {
            beginning.yield($0)
        } take: { element, _ in
            guard element == 1 else { return }
            // Without work on 2, there is nothing to wait for.
            for await other in begun where other == 2 { return }
        }
    }

    @Test(.timeLimit(.minutes(5))) func `a failed element does not keep the others`() async throws {
        var outcomes: [Bool] = []
        try await [1, 2, 3].ahead { element -> Int in
            if element == 2 { throw Failure() }
            return element
        } take: { _, result in
            outcomes.append((try? result.get()) != nil)
        }
        #expect(outcomes == [true, false, true])
    }

    @Test(.timeLimit(.minutes(5))) func `nobody waits for work whose result is not wanted`() async throws {
        await #expect(throws: Failure.self) {
            try await [1, 2].ahead {
                if $0 == 2 { try await Task.sleep(for: .seconds(3_600)) }
            } take: { _, _ in
                throw Failure()
            }
        }
    }
}
