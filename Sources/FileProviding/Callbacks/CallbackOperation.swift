import Foundation

/// Runs an async form for a callback form: one task, one `Progress`, exactly one callback on the context's queue.
///
/// The work is an operation of `operationQueue` until it ends, and retains the provider for as long. Cancelling the
/// progress cancels the work, even before it has begun; the callback still comes, with `CocoaError(.userCancelled)`.
struct CallbackOperation {
    let context: FileProviderContext
    let progress: Progress
    private let meter: ProgressMeter

    /// - Parameter operation: what the progress is about; `nil` for queries, whose units are entries.
    init(context: FileProviderContext, operation: FileOperationType?) {
        self.context = context
        progress = Progress(totalUnitCount: operation.map { $0.isTransfer ? -1 : 1 } ?? -1)
        meter = ProgressMeter(progress: progress)
        if let operation {
            progress.setUserInfoObject(operation, forKey: .fileProviderOperationTypeKey)
            if operation.isTransfer {
                progress.kind = .file
                progress.setUserInfoObject(operation.fileOperationKind, forKey: .fileOperationKindKey)
            }
        }
    }

    /// The progress for the work to count on.
    var operationProgress: OperationProgress { OperationProgress { [meter] in meter.show($0) } }

    /// Starts the work; `finish` is called once, on the queue, even when the work never began.
    func start<Value: Sendable>(
        _ work: @escaping @Sendable () async throws -> Value,
        finish: @escaping @Sendable (Result<Value, any Error>) -> Void
    ) -> Progress {
        let (queue, progress, meter) = (context.dispatchQueue, progress, meter)
        let operation = TaskOperation {
            meter.begin()
            let result = await Self.outcome {
                // `Progress` calls its handler on another thread, which may come too late to cancel the task.
                if progress.isCancelled { throw CancellationError() }
                return try await work()
            }
            if case .success = result { meter.complete() }
            queue.async { finish(result) }
        }
        // `Progress` never releases its handler, and whoever keeps the progress would keep the provider.
        progress.cancellationHandler = { [weak operation] in operation?.cancel() }
        context.operationQueue.addOperation(operation)
        return progress
    }

    /// Starts work that is answered with a value or an error.
    func answer<Value: Sendable>(
        _ completionHandler: @escaping @Sendable (Value?, (any Error)?) -> Void,
        _ work: @escaping @Sendable () async throws -> Value
    ) -> Progress {
        start(work) { completionHandler($0.parts.value, $0.parts.error) }
    }

    /// Starts work that is answered with success or an error.
    func confirm(
        _ completionHandler: @escaping SimpleCompletionHandler, _ work: @escaping @Sendable () async throws -> Void
    ) -> Progress {
        start(work) { completionHandler($0.parts.error) }
    }

    private static func outcome<Value: Sendable>(
        of work: @Sendable () async throws -> Value
    ) async -> Result<Value, any Error> {
        do { return .success(try await work()) } catch { return .failure(error.callbackError) }
    }
}

extension FileProviderBasic {
    /// Returns a callback form of this provider.
    ///
    /// - Parameter operation: what its progress is about; `nil` for queries.
    func callback(for operation: FileOperationType? = nil) -> CallbackOperation {
        CallbackOperation(context: context, operation: operation)
    }
}

/// Writes an operation's state into a `Progress`, never backwards, with rate and time left.
private final class ProgressMeter: Sendable {
    private let progress: Progress
    private let start = Locked(ContinuousClock.now)
    private let shown = Locked(OperationProgress.State())

    init(progress: Progress) { self.progress = progress }

    /// Counts the time from now on: waiting in a queue is not work.
    func begin() {
        start.withLock { $0 = .now }
        progress.setUserInfoObject(Date(), forKey: .startingTimeKey)
    }

    func show(_ state: OperationProgress.State) {
        shown.withLock { shown in
            guard state.completed >= shown.completed else { return }
            shown = state
            if let total = state.total { progress.raiseTotal(to: total) }
            progress.completedUnitCount = state.completed
        }
        let elapsed = max((ContinuousClock.now - start.withLock { $0 }) / .seconds(1), 0.001)
        let rate = Double(state.completed) / elapsed
        progress.setUserInfoObject(Int(exactly: rate.rounded()) ?? .max, forKey: .throughputKey)
        if let total = state.total, rate > 0 {
            progress.setUserInfoObject(Double(total - state.completed) / rate, forKey: .estimatedTimeRemainingKey)
        }
    }

    func complete() {
        shown.withLock { shown in
            let total = max(shown.total ?? shown.completed, shown.completed, 1)
            progress.totalUnitCount = total
            progress.completedUnitCount = total
        }
    }
}

extension FileOperationType {
    fileprivate var fileOperationKind: Progress.FileOperationKind {
        switch self {
        case .fetch, .download: .downloading
        default: .copying
        }
    }
}

extension ProgressUserInfoKey {
    /// The ``FileOperationType`` that the progress is about.
    public static let fileProviderOperationTypeKey = ProgressUserInfoKey("FileProviderOperationTypeKey")
    /// When the operation began, a `Date`.
    public static let startingTimeKey = ProgressUserInfoKey("FileProviderStartingTimeKey")
}
