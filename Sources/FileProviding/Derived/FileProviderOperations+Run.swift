import Foundation
import Logging

extension FileProviderOperations {
    /// Runs an operation as every convenience does: asks the delegate, performs, reports, logs, and records it for
    /// undo.
    ///
    /// - Parameters:
    ///   - operation: what to do.
    ///   - options: how to do it.
    ///   - progress: counts bytes for transfers, otherwise one unit.
    /// - Throws: `CocoaError(.userCancelled)` when the delegate refuses; otherwise what the provider throws.
    @discardableResult
    public func run(
        _ operation: FileOperationType, options: OperationOptions = OperationOptions(),
        progress: OperationProgress = OperationProgress()
    ) async throws -> FileObject? {
        try await supervise(operation, options: options, progress: progress, ignored: .some(nil)) { context in
            try await perform(operation, in: context)
        }
    }

    /// Wraps an operation's work as all operations require.
    ///
    /// - Parameter ignored: what is returned when a delegate ignores a failure; with `nil` no delegate is asked to.
    func supervise<Result: Sendable>(
        _ operation: FileOperationType, options: OperationOptions, progress: OperationProgress, ignored: Result?,
        _ work: (OperationContext) async throws -> Result
    ) async throws -> Result {
        let gatekeeper = context.fileOperationDelegate
        if let gatekeeper, await !gatekeeper.fileProvider(self, shouldDoOperation: operation) {
            let veto = cocoaError(operation.source, code: .userCancelled, reason: "refused by the delegate")
            delegateNotify(operation, .failed(veto))
            throw veto
        }
        let reporting = OperationContext(
            options: options, progress: reportingProgress(operation, inner: progress), logger: context.logger)
        do {
            try Task.checkCancellation()
            let undoable = options.overwrite ? nil : self as? any FileProviderUndoable
            let changesAnything = await undoable?.changesAnything(operation) ?? false
            let result = try await work(reporting)
            if let undoable, changesAnything { await undoable.undoHistory.record(operation, on: undoable) }
            reporting.progress.finish()
            context.logger.debug("\(operation.actionDescription)", metadata: ["source": "\(operation.source)"])
            delegateNotify(operation, .succeeded)
            return result
        } catch {
            context.logger.debug(
                "\(operation.actionDescription) failed",
                metadata: ["source": "\(operation.source)", "error": "\(error.localizedDescription)"])
            if let gatekeeper, let ignored, !error.isCancellation,
                await gatekeeper.fileProvider(self, shouldProceedAfterError: error, operation: operation)
            {
                delegateNotify(operation, .succeeded)
                return ignored
            }
            delegateNotify(operation, .failed(error.callbackError))
            throw error
        }
    }

    /// Returns a progress that forwards everything to `inner` and notifies the delegate at most ten times a second.
    private func reportingProgress(_ operation: FileOperationType, inner: OperationProgress) -> OperationProgress {
        let lastReport = Locked((time: ContinuousClock.now - .seconds(1), completed: Int64(-1)))
        let total: Int64? = operation.isTransfer ? nil : 1
        let notifies = context.delegate != nil
        return OperationProgress(total: total) { state in
            if let total = state.total { inner.setTotal(total) }
            inner.raise(to: state.completed)
            guard notifies, let total = state.total, total > 0 else { return }
            let isDue = lastReport.withLock { last in
                let now = ContinuousClock.now
                guard now - last.time >= .milliseconds(100) || state.completed == total,
                    state.completed > last.completed
                else { return false }
                last = (now, state.completed)
                return true
            }
            if isDue { delegateNotify(operation, .progressed(Float(Double(state.completed) / Double(total)))) }
        }
    }
}
