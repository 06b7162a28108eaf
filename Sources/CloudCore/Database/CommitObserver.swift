import FileProviding
import Foundation
import GRDB

/// Notifies observers of each commit that concerns them, on the writer's queue.
///
/// There is one for all transactions: whenever an observer is added or removed, GRDB discards the prepared statements
/// that delete rows.
final class CommitObserver: TransactionObserver, Sendable {
    private let observers = Locked<[UUID: @Sendable (SyncAnchor) -> Void]>([:])
    /// What to announce when the current transaction has been committed.
    private let news = Locked<SyncAnchor?>(nil)
    private let lastCommit = Locked<SyncAnchor?>(nil)

    /// The point that the last announced commit reached; `nil` if there was none.
    var latest: SyncAnchor? { lastCommit.withLock { $0 } }

    /// Adds an observer. Returns the identifier with which it is removed.
    func add(_ tell: @escaping @Sendable (SyncAnchor) -> Void) -> UUID {
        let id = UUID()
        observers.withLock { $0[id] = tell }
        return id
    }

    /// Removes an observer.
    func remove(_ id: UUID) { observers.withLock { $0[id] = nil } }

    /// Announces the current transaction to the observers, if it is committed.
    func announce(_ anchor: SyncAnchor) { news.withLock { $0 = anchor } }

    func databaseDidCommit(_ database: GRDB.Database) {
        guard let anchor = news.withLock({ $0.take() }) else { return }
        lastCommit.withLock { $0 = anchor }
        for tell in observers.withLock({ $0 }).values { tell(anchor) }
    }

    func databaseDidRollback(_ database: GRDB.Database) { news.withLock { $0 = nil } }

    func observes(eventsOfKind eventKind: DatabaseEventKind) -> Bool { false }

    func databaseDidChange(with event: DatabaseEvent) {}
}
