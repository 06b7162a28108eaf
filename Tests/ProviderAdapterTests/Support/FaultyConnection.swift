import CloudCore
import FileProviders
import ProviderAdapter

/// A connection on whose operations something happens, once each, in the order in which they come.
final class FaultyConnection: Connection {
    /// What happens to one operation.
    enum Fault: Sendable {
        /// It does not reach the server.
        case lost(any Error)
        /// The server does it, and the reply does not come.
        case unanswered(any Error)
        /// This happens before it reaches the server.
        case after(@Sendable () async throws -> Void)
    }

    private let inner: ProviderAdapter
    private let faults = Locked<[Fault]>([])
    private let outage = Locked<(any Error)?>(nil)

    init(_ inner: ProviderAdapter) { self.inner = inner }

    /// Lets the next operations meet these.
    func meet(_ faults: Fault...) { self.faults.withLock { $0 += faults } }

    /// Lets everything fail, or nothing.
    func fail(with error: (any Error)?) { outage.withLock { $0 = error } }

    var isMounted: Bool { inner.isMounted }
    func traits() async throws -> ConnectionTraits { try await inner.traits() }

    func attributes(of path: ItemPath) async throws -> FileObject {
        if let error = outage.withLock({ $0 }) { throw error }
        return try await inner.attributes(of: path)
    }

    func listing(of path: ItemPath) -> DirectoryListing { inner.listing(of: path) }

    func signals() async throws -> AsyncThrowingStream<ConnectionSignal, any Error>? { try await inner.signals() }

    func perform(
        _ operation: ConnectionOperation, counting progress: OperationProgress, for target: EventTarget
    ) async {
        do {
            if let error = outage.withLock({ $0 }) { throw error }
            switch faults.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) {
            case nil: break
            case .lost(let error): throw error
            case .unanswered(let error):
                await inner.perform(operation, counting: progress, for: EventTarget(target.address) { _ in })
                throw error
            case .after(let work): try await work()
            }
            await inner.perform(operation, counting: progress, for: target)
        } catch {
            await target.send(.failed(EventFailure(error)))
        }
    }
}
