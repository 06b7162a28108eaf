import FileProviding
import Foundation

extension Query: AsyncSequence {
    /// Waits for news; of several that nobody waited for, only the last is kept.
    public struct AsyncIterator: AsyncIteratorProtocol {
        var stream: AsyncStream<QueryNotification>.AsyncIterator

        /// The next notification, or `nil` when the query has been stopped.
        public mutating func next(isolation actor: isolated (any Actor)? = #isolation) async -> QueryNotification? {
            await stream.next(isolation: actor)
        }
    }

    /// Begins with how the query stands now.
    public func makeAsyncIterator() -> AsyncIterator {
        let (stream, continuation) = AsyncStream.makeStream(
            of: QueryNotification.self, bufferingPolicy: .bufferingNewest(1))
        let id = UUID()
        continuation.onTermination = { [weak self] _ in self?.shared.withLock { $0.listeners[id] = nil } }
        let hasEnded = shared.withLock { shared in
            shared.listeners[id] = continuation
            // Yielding only stores the notification: nobody's code runs under the lock.
            continuation.yield(shared.notification)
            return shared.hasEnded
        }
        if hasEnded { continuation.finish() }
        return AsyncIterator(stream: stream.makeAsyncIterator())
    }

    /// Changes the query under its lock, and tells of it when the state is another or changes are there for the first time.
    func change(_ body: (inout Shared) -> Void) {
        let delegate = shared.withLock { shared -> (any QueryDelegate)? in
            let before = shared.notification
            body(&shared)
            let now = shared.notification
            guard now != before else { return nil }
            for listener in shared.listeners.values { listener.yield(now) }
            return now.hasChanges && !before.hasChanges ? shared.delegate : nil
        }
        delegate?.queryHasChangesAvailable(self)
    }

    /// Ends as if it had been stopped, for what the vault could not be read for.
    func end(for error: any Error) {
        if error.isCancellation { return }
        shared.withLock { ($0.link, $0.failure) = (nil, error) }
        finishListeners()
        delegate?.query(self, failedWith: error)
    }

    /// Ends the iteration of everyone who waits for news.
    func finishListeners() {
        let listeners = shared.withLock { shared in
            shared.hasEnded = true
            defer { shared.listeners = [:] }
            return shared.listeners.values.map { $0 }
        }
        for listener in listeners { listener.finish() }
    }
}

extension Query.Shared {
    var notification: QueryNotification { QueryNotification(state: state, hasChanges: hasChanges) }
}
