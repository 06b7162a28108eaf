import FileProviding
import Foundation

extension Query: AsyncSequence {
    /// An iterator that waits for notifications; of several that nobody waited for, only the last is returned.
    public struct AsyncIterator: AsyncIteratorProtocol {
        var wakes: AsyncStream<Void>.AsyncIterator
        let shared: Locked<Shared>
        /// The number of the notification that was returned last.
        private var last: Int?

        init(_ wakes: AsyncStream<Void>, _ shared: Locked<Shared>) {
            self.wakes = wakes.makeAsyncIterator()
            self.shared = shared
        }

        /// Returns the next notification, or `nil` when the query has been stopped.
        public mutating func next(isolation actor: isolated (any Actor)? = #isolation) async -> QueryNotification? {
            while await wakes.next(isolation: actor) != nil {
                let (number, notification) = shared.withLock { ($0.notificationNumber, $0.notification) }
                if number != last {
                    last = number
                    return notification
                }
            }
            return nil
        }
    }

    /// Returns an iterator that begins with the query's current state.
    public func makeAsyncIterator() -> AsyncIterator {
        let (wakes, waker) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let id = UUID()
        waker.onTermination = { [weak self] _ in self?.shared.withLock { $0.wakers[id] = nil } }
        waker.yield()
        let hasEnded = shared.withLock { shared in
            shared.wakers[id] = waker
            return shared.hasEnded
        }
        if hasEnded { waker.finish() }
        return AsyncIterator(wakes, shared)
    }

    /// Changes the query under its lock, and notifies when the state has changed or there are changes for the first
    /// time.
    func change(_ body: (inout Shared) -> Void) {
        let (wakers, delegate) = shared.withLock { shared -> ([AsyncStream<Void>.Continuation], (any QueryDelegate)?) in
            let before = shared.notification
            body(&shared)
            let now = shared.notification
            guard now != before else { return ([], nil) }
            shared.notificationNumber += 1
            return (Array(shared.wakers.values), now.hasChanges && !before.hasChanges ? shared.delegate : nil)
        }
        // Not under the lock: resuming a task waits for its cancellation, which waits for this lock.
        for waker in wakers { waker.yield() }
        delegate?.queryHasChangesAvailable(self)
    }

    /// Ends the query as if it had been stopped, because the vault could not be read.
    func end(for error: any Error) {
        if error.isCancellation { return }
        shared.withLock { ($0.link, $0.failure) = (nil, error) }
        finishIterations()
        delegate?.query(self, failedWith: error)
    }

    /// Ends the iteration of everyone who waits for notifications.
    func finishIterations() {
        let wakers = shared.withLock { shared in
            shared.hasEnded = true
            defer { shared.wakers = [:] }
            return Array(shared.wakers.values)
        }
        for waker in wakers { waker.finish() }
    }
}

extension Query.Shared {
    var notification: QueryNotification { QueryNotification(state: state, hasChanges: hasChanges) }
}
