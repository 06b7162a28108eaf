import Foundation

/// Threads for system calls that can take long: whole trees, large files, flushing.
///
/// On Linux, Dispatch's queues share their threads with Swift's tasks, so that work which waits for a disk there would
/// block every task of the program. A task moves to these threads and back in about 20 µs, and stays the same task: it
/// sees its cancellation as anywhere else. Calls about a single item are faster than that and made directly.
final class LocalThreads: TaskExecutor, @unchecked Sendable {  // The condition guards all variables.
    static let shared = LocalThreads(limit: 8)

    private let condition = NSCondition()
    private let limit: Int
    private var jobs: [UnownedJob] = []
    private var idle = 0
    private var threads = 0

    private init(limit: Int) { self.limit = limit }

    /// Runs work that may wait for a disk; directly when it is short.
    static func run<Result: Sendable>(
        unless isShort: Bool = false, _ work: @Sendable () async throws -> Result
    ) async throws -> Result {
        try await withTaskExecutorPreference(isShort ? nil : shared) { try await work() }
    }

    /// Returns whether reading or writing this many bytes is as fast as moving a task to another thread and back.
    static func isShort(_ count: Int64?) -> Bool { (count ?? .max) <= 64 << 10 }

    func enqueue(_ job: consuming ExecutorJob) {
        condition.lock()
        jobs.append(UnownedJob(job))
        let needsThread = idle < jobs.count && threads < limit
        if needsThread { threads += 1 }
        condition.signal()
        condition.unlock()
        if needsThread { Thread.detachNewThread { self.serve() } }
    }

    private func serve() {
        while true {
            condition.lock()
            idle += 1
            while jobs.isEmpty { condition.wait() }
            idle -= 1
            let job = jobs.removeFirst()
            condition.unlock()
            job.runSynchronously(on: asUnownedTaskExecutor())
        }
    }
}
