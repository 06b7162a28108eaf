import FileProviding

/// A clock that only advances by ``step()``: each step ends one sleep, the current one or the next.
///
/// For tests of waiting code: time passes when the test says so, however slow the machine is.
public final class SteppingClock: Clock {
    /// A point in time, measured by the time slept.
    public struct Instant: InstantProtocol {
        let offset: Duration

        /// Returns the instant that is later by this duration.
        public func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
        /// Returns the duration from this instant to `other`.
        public func duration(to other: Instant) -> Duration { other.offset - offset }
        /// Returns whether `a` is earlier.
        public static func < (a: Instant, b: Instant) -> Bool { a.offset < b.offset }
    }

    private struct State {
        var now = Duration.zero
        var stepsAhead = 0
        var sleepers: [Int: CheckedContinuation<Void, any Error>] = [:]
        var observers: [CheckedContinuation<Void, Never>] = []
        var sleeps = 0
        var isRetired = false

        func hasAsleep(_ count: Int) -> Bool { isRetired || sleepers.count >= count }
    }

    private let state = Locked(State())

    /// Creates a clock at zero.
    public init() {}

    /// The instant that the sleeps so far have reached.
    public var now: Instant { Instant(offset: state.withLock { $0.now }) }

    /// Zero.
    public var minimumResolution: Duration { .zero }

    /// Ends one sleep.
    public func step() {
        let sleeper = state.withLock { state in
            guard let first = state.sleepers.keys.min() else {
                state.stepsAhead += 1
                return CheckedContinuation<Void, any Error>?.none
            }
            return state.sleepers.removeValue(forKey: first)
        }
        sleeper?.resume()
    }

    /// Waits until this many tasks sleep at the same time, or until ``retire()``.
    public func untilAsleep(_ count: Int = 1) async {
        while !state.withLock({ $0.hasAsleep(count) }) {
            await withCheckedContinuation { continuation in
                let isThere = state.withLock { state in
                    if state.hasAsleep(count) { return true }
                    state.observers.append(continuation)
                    return false
                }
                if isThere { continuation.resume() }
            }
        }
    }

    /// Reports that nothing will sleep any more.
    public func retire() {
        let observers = state.withLock { state in
            state.isRetired = true
            return state.observers.take()
        }
        for observer in observers { observer.resume() }
    }

    /// Sleeps until a step, however far away the deadline is.
    ///
    /// - Throws: `CancellationError`.
    public func sleep(until deadline: Instant, tolerance: Duration?) async throws {
        let number = state.withLock { state in
            state.sleeps += 1
            return state.sleeps
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in begin(number, continuation) }
        } onCancel: {
            state.withLock { $0.sleepers.removeValue(forKey: number) }?.resume(throwing: CancellationError())
        }
        state.withLock { $0.now = max($0.now, deadline.offset) }
    }

    private func begin(_ number: Int, _ continuation: CheckedContinuation<Void, any Error>) {
        let (isOver, observers) = state.withLock { state in
            if state.stepsAhead > 0 {
                state.stepsAhead -= 1
                return (true, [CheckedContinuation<Void, Never>]())
            }
            state.sleepers[number] = continuation
            return (false, state.observers.take())
        }
        for observer in observers { observer.resume() }
        if isOver {
            continuation.resume()
        } else if Task.isCancelled {
            state.withLock { $0.sleepers.removeValue(forKey: number) }?.resume(throwing: CancellationError())
        }
    }
}

extension Array {
    fileprivate mutating func take() -> [Element] {
        defer { self = [] }
        return self
    }
}
