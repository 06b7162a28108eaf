import FileProviding
import Foundation

extension Query: AsyncSequence {
    /// An iterator that waits for notifications; of several that nobody waited for, only the last is kept.
    public struct AsyncIterator: AsyncIteratorProtocol {
        var stream: AsyncStream<QueryNotification>.AsyncIterator

        /// Returns the next notification, or `nil` when the query has been stopped.
        public mutating func next(isolation actor: isolated (any Actor)? = #isolation) async -> QueryNotification? {
            await stream.next(isolation: actor)
        }
    }

    /// Returns an iterator that begins with the query's current state.
    public func makeAsyncIterator() -> AsyncIterator {
        let (stream, continuation) = AsyncStream.makeStream(
            of: QueryNotification.self, bufferingPolicy: .bufferingNewest(1))
        let id = UUID()
        continuation.onTermination = { [weak self] _ in self?.shared.withLock { $0.listeners[id] = nil } }
        let hasEnded = shared.withLock { shared in
            shared.listeners[id] = continuation
            // Yielding only stores the notification: no client code runs under the lock.
            continuation.yield(shared.notification)
            return shared.hasEnded
        }
        if hasEnded { continuation.finish() }
        return AsyncIterator(stream: stream.makeAsyncIterator())
    }

    /// Changes the query under its lock, and notifies when the state has changed or there are changes for the first
    /// time.
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

    /// Ends the query as if it had been stopped, because the vault could not be read.
    func end(for error: any Error) {
        if error.isCancellation { return }
        shared.withLock { ($0.link, $0.failure) = (nil, error) }
        finishListeners()
        delegate?.query(self, failedWith: error)
    }

    /// Ends the iteration of everyone who waits for notifications.
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
