import FileProviding

/// A copy of trees between any two providers, one plan, run once.
///
/// Both trees are walked in lockstep, directory by directory, and files begin to travel before the listing has ended; what
/// waits is bounded, so that memory does not grow with the tree. A failing item is reported and the rest goes on. Cancelling
/// the task stops the transfer; what was under way leaves nothing under a final name.
///
/// ```swift
/// let plan = try await TransferPlan(from: [TransferEndpoint(disk, "/photos")], to: TransferEndpoint(server, "/photos"))
/// let report = try await Transfer(plan).run { event in print(event) }
/// ```
public struct Transfer: Sendable {
    /// What to copy where, and how.
    public let plan: TransferPlan

    /// A transfer of `plan`.
    public init(_ plan: TransferPlan) { self.plan = plan }

    /// Copies, and returns when everything is done or named as a failure.
    ///
    /// - Parameter observe: told what happens, from several tasks at once; must be quick.
    /// - Throws: `CancellationError` when the task was cancelled.
    public func run(observing observe: @escaping @Sendable (TransferEvent) -> Void = { _ in }) async throws
        -> TransferReport
    {
        let start = ContinuousClock.now
        let ledger = TransferLedger(observe: observe)
        let queue = BoundedQueue<FileJob>(capacity: 1024)
        let directories = DirectoryCache()
        try await withTaskCancellationHandler {
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask {
                    defer { queue.finish() }
                    for job in plan.jobs {
                        let walk = TreeWalk(
                            job: job, options: plan.options, queue: queue, ledger: ledger, directories: directories)
                        try await walk.run()
                    }
                }
                for _ in 0..<workerCount {
                    group.addTask {
                        while let job = await queue.receive() {
                            try Task.checkCancellation()
                            await ledger.settle(job, with: FileCopy(job: job, options: plan.options, ledger: ledger))
                        }
                    }
                }
                try await group.waitForAll()
            }
        } onCancel: {
            queue.finish(discarding: true)
        }
        try Task.checkCancellation()
        var report = ledger.report
        report.duration = ContinuousClock.now - start
        return report
    }

    /// Enough for a remote end to be busy while replies travel; few where both ends are disks.
    private var workerCount: Int {
        if let concurrency = plan.options.concurrency { return max(1, concurrency) }
        let isLocal = plan.jobs.allSatisfy {
            $0.source.provider is any FileProviderLocalAccess && $0.target.provider is any FileProviderLocalAccess
        }
        return isLocal ? 4 : 16
    }
}
