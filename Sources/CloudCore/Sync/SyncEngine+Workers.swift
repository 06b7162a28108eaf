/// The tasks that make attempts.
///
/// Each makes one after another: what a task has allocated for the first serves the others, and there may be thousands
/// of small ones.
extension SyncEngine {
    /// The tasks at work, and those that wait for the next attempt.
    struct Workers {
        /// The number of tasks that were started.
        var count = 0
        var tasks: [Int: Task<Void, Never>] = [:]
        var idle: [CheckedContinuation<SyncRecord?, Never>] = []
    }

    /// Gives a record to a task that has nothing to do; returns whether there is one.
    func handOver(_ record: SyncRecord) -> Bool {
        guard let worker = workers.idle.popLast() else { return false }
        worker.resume(returning: record)
        return true
    }

    /// Makes attempts in a task of its own, until there is no work any more or the task was cancelled with a command.
    func makeAttempts(beginningWith record: SyncRecord) async {
        workers.count += 1
        let number = workers.count
        let task = Task {
            var next: SyncRecord? = record
            while let record = next {
                await attempt(record.number, record.id, by: number)
                next = await nextRecord()
            }
        }
        workers.tasks[number] = task
        await withTaskCancellationHandler {
            await task.value
        } onCancel: {
            task.cancel()
        }
        workers.tasks[number] = nil
    }

    private func nextRecord() async -> SyncRecord? {
        guard !Task.isCancelled else { return nil }
        return await withCheckedContinuation { workers.idle.append($0) }
    }

    /// Lets the tasks end that wait for an attempt; the others, which have been cancelled, end with theirs.
    func dismissWorkers() {
        for worker in workers.idle { worker.resume(returning: nil) }
        workers.idle = []
    }
}
