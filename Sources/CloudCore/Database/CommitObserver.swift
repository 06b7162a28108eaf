import FileProviding
import Foundation
import GRDB

/// Tells those who follow a database of each commit that they have to know of, on the writer's queue.
///
/// One for all transactions: whenever an observer comes or goes, GRDB forgets the prepared statements that remove rows.
final class CommitObserver: TransactionObserver, Sendable {
    private let observers = Locked<[UUID: @Sendable (SyncAnchor) -> Void]>([:])
    /// What is to be told when the transaction under way has been committed.
    private let news = Locked<SyncAnchor?>(nil)

    /// Tells an observer from now on. Returns what ends it.
    func add(_ tell: @escaping @Sendable (SyncAnchor) -> Void) -> UUID {
        let id = UUID()
        observers.withLock { $0[id] = tell }
        return id
    }

    /// Tells an observer no more.
    func remove(_ id: UUID) { observers.withLock { $0[id] = nil } }

    /// Has the observers told of the transaction under way, if it is committed.
    func announce(_ anchor: SyncAnchor) { news.withLock { $0 = anchor } }

    func databaseDidCommit(_ database: GRDB.Database) {
        guard let anchor = news.withLock({ $0.take() }) else { return }
        for tell in observers.withLock({ $0 }).values { tell(anchor) }
    }

    func databaseDidRollback(_ database: GRDB.Database) { news.withLock { $0 = nil } }

    func observes(eventsOfKind eventKind: DatabaseEventKind) -> Bool { false }

    func databaseDidChange(with event: DatabaseEvent) {}
}
