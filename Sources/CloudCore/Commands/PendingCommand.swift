import FileProviding
import Foundation

/// A command that has been accepted: it is in the vault, and is sent to the server when the server can be reached.
///
/// Releasing this object does not affect the command; only a refusal by the server becomes an issue then.
/// ``Core/pendingCommand(_:)`` finds the command again, even in another run of the program.
public final class PendingCommand: Sendable, Identifiable {
    /// The command's identifier, which never changes.
    public let id: EventID
    /// The progress, which counts bytes for transfers, otherwise one unit. Cancelling it cancels the command.
    public let progress: Progress

    private struct State {
        /// The root until the command has been accepted: before that nobody else has the object.
        var itemID = LocalID.root
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

    /// The item that the command is about. For what makes an item that is the new one, which the vault has already: other
    /// commands can refer to it before the server has been reached.
    public var itemID: LocalID { state.withLock { $0.itemID } }

    /// The item once the server has carried out the command; for a deletion its tombstone. Reading it waits for that.
    ///
    /// The core works on its commands while somebody waits here, whether it runs or not. If the server is unavailable,
    /// it is tried from time to time, and the waiting continues.
    ///
    /// - Throws: the server's refusal; `CocoaError(.userCancelled)` when the command was cancelled; what the vault's
    ///   database throws. When only the waiting task was cancelled, `CancellationError`: the command continues when the
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

    /// Records which item the command is about, when it is handed out.
    func refer(to item: LocalID) { state.withLock { $0.itemID = item } }

    /// Returns the progress on which the connection counts.
    func counter(from completed: Int64, of total: Int64?) -> OperationProgress {
        let counter = OperationProgress { [progress, state] counted in
            // On Linux nothing else keeps two threads apart.
            state.withLock { _ in
                if let total = counted.total { progress.raiseTotal(to: total) }
                progress.completedUnitCount = max(progress.completedUnitCount, counted.completed)
            }
        }
        if let total { counter.setTotal(total) }
        counter.raise(to: min(completed, total ?? .max))
        return counter
    }

    /// Ends the command, and resumes those who wait for it.
    func finish(_ result: Result<Item, any Error>) {
        let waiters = state.withLock { state in
            state.result = state.result ?? result
            if case .success = result {
                progress.raiseTotal(to: 1)
                progress.completedUnitCount = progress.totalUnitCount
            }
            defer { state.waiters = [:] }
            return state.waiters.values
        }
        for waiter in waiters { waiter.resume(with: result) }
    }
}

extension ProgressUserInfoKey {
    /// The identifier of the command that the progress belongs to, a `String`.
    public static let commandIDKey = ProgressUserInfoKey("CloudCoreCommandIDKey")
}
