import FileProviding
import Foundation

/// A running copy of trees between any two providers: a sequence of events, a progress, and finally a report.
///
/// Both trees are walked in lockstep, and copying begins before the listing has ended; the queue is bounded, so that
/// memory does not grow with the tree. A failing item is reported and the rest continues, unless its storage is gone:
/// then the transfer ends. Cancelling stops it; unfinished files leave nothing under a final name, and with a journal
/// the same plan continues the transfer, even in another process.
///
/// ```swift
/// var options = TransferOptions()
/// options.recursive = true
/// let plan = try await TransferPlan(
///     from: [TransferEndpoint(disk, "/photos")], to: TransferEndpoint(server, "/photos"), options: options)
/// let transfer = Transfer(plan)
/// for await event in transfer { print(event) }
/// let report = try await transfer.report
/// ```
///
/// It begins with the first iteration, or when the report is requested. An iteration receives every event, and the
/// transfer waits for a slow reader; without an iteration, or after one that was left early, the events are dropped.
/// Cancelling a task that iterates or awaits ``report`` cancels the transfer, and so does releasing this object.
public final class Transfer: AsyncSequence, Sendable {
    /// An event of the transfer.
    public typealias Element = TransferEvent

    private struct State {
        var task: Task<TransferReport, any Error>?
        var ledger: TransferLedger?
        var isCancelled = false
    }

    /// What to copy where, and how.
    public let plan: TransferPlan
    /// The progress in bytes; the total grows while files are found. Cancelling it cancels the transfer.
    public let progress: Progress
    private let environment: TransferEnvironment
    private let events = BoundedQueue<TransferEvent>(capacity: 1024)
    private let state = Locked(State())
    private let isWatched = Locked(false)

    /// Creates a transfer that has not begun.
    public init(_ plan: TransferPlan, in environment: TransferEnvironment = TransferEnvironment()) {
        self.plan = plan
        self.environment = environment
        progress = Progress(totalUnitCount: -1)
        progress.kind = .file
        progress.cancellationHandler = { [weak self] in self?.cancel() }
    }

    deinit { cancel() }

    /// The final report; reading it waits for the end.
    ///
    /// - Throws: `CancellationError`; `CocoaError(.fileLocking)` when another process runs the same transfer; otherwise
    ///   what keeps the transfer from beginning, or goes wrong with its journal. An item's failure is in the report.
    public var report: TransferReport {
        get async throws {
            let task = begin()
            return try await withTaskCancellationHandler {
                try await task.value
            } onCancel: {
                cancel()
            }
        }
    }

    /// What has been done so far: after a cancellation or a failure, all that there is to report.
    public var reportSoFar: TransferReport { state.withLock { $0.ledger?.report ?? TransferReport() } }

    /// Stops as soon as possible.
    public func cancel() {
        let task = state.withLock { state in
            state.isCancelled = true
            return state.task
        }
        events.finish()
        task?.cancel()
    }

    /// Begins the transfer, unless it has begun already, and returns an iterator over its events.
    public func makeAsyncIterator() -> AsyncIterator {
        isWatched.withLock { $0 = true }
        _ = begin()
        return AsyncIterator(reader: Reader(transfer: self))
    }

    /// An iterator over events until the transfer has ended.
    public struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate let reader: Reader

        /// Returns the next event, or `nil` after the last.
        public mutating func next(isolation actor: isolated (any Actor)? = #isolation) async -> TransferEvent? {
            await reader.transfer.next()
        }
    }

    /// Lets the transfer continue without a reader when the iteration is abandoned.
    fileprivate final class Reader: Sendable {
        let transfer: Transfer
        init(transfer: Transfer) { self.transfer = transfer }
        deinit { transfer.unwatch() }
    }

    private func next() async -> TransferEvent? {
        await withTaskCancellationHandler {
            await events.receive()
        } onCancel: {
            cancel()
        }
    }

    private func unwatch() {
        isWatched.withLock { $0 = false }
        events.drain()
    }

    private func begin() -> Task<TransferReport, any Error> {
        state.withLock { state in
            if let task = state.task { return task }
            let counter = TransferProgress(progress)
            let ledger = TransferLedger(isDryRun: plan.options.dryRun, onBytes: counter.advance) {
                [events, isWatched] event in
                counter.note(event)
                if isWatched.withLock({ $0 }) { await events.send(event) }
            }
            state.ledger = ledger
            // Owned by this object, which cancels it when it is released; `report` waits for it.
            let task = Task { [plan, environment, events] in
                defer { events.finish() }
                let report = try await TransferEngine(plan: plan, environment: environment, ledger: ledger).run()
                counter.finish(report)
                return report
            }
            if state.isCancelled { task.cancel() }
            state.task = task
            return task
        }
    }
}

extension Transfer {
    /// Copies, reports events to `observe`, and returns the report. The observer runs where the caller does, such as on
    /// the main actor, and the transfer waits for it.
    ///
    /// - Throws: as ``report``.
    nonisolated(nonsending) public func run(
        observing observe: (TransferEvent) -> Void = { _ in }
    ) async throws -> TransferReport {
        for await event in self { observe(event) }
        return try await report
    }

    /// Removes what an interrupted run of this plan left at the destination, and the journal.
    ///
    /// - Throws: the reason why something stays there; the journal is then kept.
    public static func discard(_ plan: TransferPlan, in environment: TransferEnvironment) async throws {
        guard let target = plan.jobs.first?.target.provider else { return }
        let journal = try TransferJournal(JobIdentity(plan), in: environment.journals)
        try await journal.discard(at: target)
    }

    /// Removes what this journal's interrupted transfer left at its destination, and the journal. Its sources are not
    /// accessed; they may be gone.
    ///
    /// - Parameters:
    ///   - id: the journal's name, as in ``TransferJournals/unfinished()``.
    ///   - target: the destination's storage.
    ///   - journals: where the journal is.
    /// - Throws: the reason why something stays there; the journal is then kept. `.fileReadNoSuchFile` for an unknown
    ///   journal.
    public static func discard(_ id: String, at target: any FileProvider, in journals: TransferJournals) async throws {
        guard let identity = JobIdentity(name: id), try journals.existing(id) != nil else {
            throw FileError.noSuchFile(id)
        }
        try await TransferJournal(identity, in: journals).discard(at: target)
    }
}
