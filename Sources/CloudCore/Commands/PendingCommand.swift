import FileProviding
import Foundation

/// A command that has been accepted: it is in the vault, and goes to the server when that can be reached.
///
/// Letting go of it changes nothing; ``Core/pendingCommand(_:)`` finds it again, in another run of the program too.
public final class PendingCommand: Sendable, Identifiable {
    /// The command's identifier: the same for as long as the command lives.
    public let id: EventID
    /// Counts bytes for transfers, else one unit. Cancelling it cancels the command.
    public let progress: Progress

    private struct State {
        var result: Result<Item, any Error>?
        var waiters: [UUID: CheckedContinuation<Item, any Error>] = [:]
    }

    private let state = Locked(State())
    private let work: CommandRegistry.Work

    /// - Parameters:
    ///   - cancel: what cancelling the progress does.
    ///   - work: what is done while somebody waits for the end.
    init(
        id: EventID, cancelling cancel: @escaping @Sendable (EventID) -> Void,
        working work: @escaping CommandRegistry.Work
    ) {
        self.id = id
        self.work = work
        progress = Progress(totalUnitCount: -1)
        progress.setUserInfoObject(id.rawValue, forKey: .commandIDKey)
        progress.cancellationHandler = { cancel(id) }
    }

    /// Waits until the server has it, and returns the item as it is then; for a deletion its tombstone.
    ///
    /// The core works on its commands while somebody waits here, whether it runs or not. Where the server is away it is asked
    /// now and then, and waiting goes on.
    ///
    /// - Throws: what the server refused it with; `CocoaError(.userCancelled)` when the command was cancelled; what the
    ///   vault's database throws. When only the waiting task was cancelled, `CancellationError`: the command goes on when the
    ///   core works again.
    public var item: Item {
        get async throws {
            if let result = state.withLock({ $0.result }) { return try result.get() }
            return try await work { [self] in try await end() }
        }
    }

    private func end() async throws -> Item {
        let waiter = UUID()
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let result: Result<Item, any Error>? = state.withLock { state in
                    if let result = state.result { return result }
                    if Task.isCancelled { return .failure(CancellationError()) }
                    state.waiters[waiter] = continuation
                    return nil
                }
                if let result { continuation.resume(with: result) }
            }
        } onCancel: {
            state.withLock { $0.waiters.removeValue(forKey: waiter) }?.resume(throwing: CancellationError())
        }
    }

    /// Where the connection counts.
    func counter(from completed: Int64, of total: Int64?) -> OperationProgress {
        let counter = OperationProgress { [progress] state in
            if let total = state.total { progress.totalUnitCount = total }
            progress.completedUnitCount = max(progress.completedUnitCount, state.completed)
        }
        if let total { counter.setTotal(total) }
        counter.raise(to: completed)
        return counter
    }

    /// Ends the waiting.
    func finish(_ result: Result<Item, any Error>) {
        let waiters = state.withLock { state in
            state.result = state.result ?? result
            defer { state.waiters = [:] }
            return state.waiters.values
        }
        if case .success = result {
            progress.totalUnitCount = max(progress.totalUnitCount, 1)
            progress.completedUnitCount = progress.totalUnitCount
        }
        for waiter in waiters { waiter.resume(with: result) }
    }
}

extension ProgressUserInfoKey {
    /// The identifier of the command that the progress is about, a `String`.
    public static let commandIDKey = ProgressUserInfoKey("CloudCoreCommandIDKey")
}
