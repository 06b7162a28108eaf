import FileProviding
import Testing

/// Work that is finished although nobody waits for it any more, but not for ever.
@Suite struct ShieldedTests {
    @Test func `a cancelled task finishes it`() async throws {
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await shielded(grace: .seconds(600)) { Task.isCancelled }
        }
        #expect(try await task.value == false)
    }

    @Test(.timeLimit(.minutes(5)), arguments: [false, true])
    func `it ends when its time is up, or some time after the cancellation`(isCancelled: Bool) async throws {
        let task = Task {
            if isCancelled { withUnsafeCurrentTask { $0?.cancel() } }
            try await shielded(grace: .milliseconds(1), limit: isCancelled ? nil : .milliseconds(1)) {
                try await Task.sleep(for: .seconds(3_600))
            }
        }
        await #expect(throws: CancellationError.self) { try await task.value }
    }
}
