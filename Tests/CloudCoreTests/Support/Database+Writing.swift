import FileProviding
import Glibc

@testable import CloudCore

extension Database {
    /// Does something while somebody else writes, for which every other writer has to wait; some seconds at most.
    ///
    /// - Returns: whether it was done by then.
    func whileWriting(_ work: () async throws -> Void) async throws -> Bool {
        let (hasBegun, isDone) = (Locked(false), Locked(false))
        async let wasDone = write { _ in
            hasBegun.withLock { $0 = true }
            for _ in 0..<5_000 where !isDone.withLock({ $0 }) { usleep(1_000) }
            return isDone.withLock { $0 }
        }
        while !hasBegun.withLock({ $0 }) { await Task.yield() }
        try await work()
        isDone.withLock { $0 = true }
        return try await wasDone
    }
}
