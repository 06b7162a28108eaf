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

    /// The root until the command has been accepted: before that nobody else has the object.
    private let about = Locked(LocalID.root)
    private let end = SharedResult<Item>()
    private let counting = Locked(())
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

    /// The item that the command is about. For what makes an item that is the new one, which the vault has already:
    /// other commands can refer to it before the server has been reached.
    public var itemID: LocalID { about.withLock { $0 } }

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
            if let result = end.result { return try result.get() }
            return try await work { [self] in try await end.value() }
        }
    }

    /// Records which item the command is about, when it is handed out.
    func refer(to item: LocalID) { about.withLock { $0 = item } }

    /// Returns the progress on which the connection counts.
    func counter(from completed: Int64, of total: Int64?) -> OperationProgress {
        let counter = OperationProgress { [progress, counting] counted in
            // On Linux nothing else keeps two threads apart.
            counting.withLock { _ in
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
        if case .success = result {
            counting.withLock { _ in
                progress.raiseTotal(to: 1)
                progress.completedUnitCount = progress.totalUnitCount
            }
        }
        end.finish(result)
    }
}

extension ProgressUserInfoKey {
    /// The identifier of the command that the progress belongs to, a `String`.
    public static let commandIDKey = ProgressUserInfoKey("CloudCoreCommandIDKey")
}
