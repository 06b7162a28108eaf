/// The progress of an operation: monotonic, safe to use from any thread, cheap to update per chunk.
///
/// Transfers count bytes, listings count entries, everything else is one unit. An unknown total is `nil`, never a
/// guess.
public final class OperationProgress: Sendable {
    /// The state of a progress.
    public struct State: Sendable, Hashable {
        /// Units done.
        public var completed: Int64 = 0
        /// Units in total, if known.
        public var total: Int64?

        /// Creates a state, at zero and without a total by default.
        public init(completed: Int64 = 0, total: Int64? = nil) {
            self.completed = completed
            self.total = total
        }
    }

    private let state = Locked(State())
    private let onChange: (@Sendable (State) -> Void)?

    /// Creates a progress at zero.
    ///
    /// - Parameters:
    ///   - total: the number of units, if known.
    ///   - onChange: called after each change, on the thread that made it; must be quick.
    public init(total: Int64? = nil, onChange: (@Sendable (State) -> Void)? = nil) {
        self.onChange = onChange
        if let total { state.withLock { $0.total = total } }
    }

    /// The current state.
    public var current: State { state.withLock { $0 } }

    /// Sets the number of units in total.
    public func setTotal(_ total: Int64?) {
        report(
            state.withLock { state in
                state.total = total.map { max($0, state.completed) }
                return state
            })
    }

    /// Counts further units. Negative counts are ignored: progress never goes back.
    public func advance(by count: Int64) {
        guard count > 0 else { return }
        report(
            state.withLock { state in
                state.completed += count
                if let total = state.total, state.completed > total { state.total = state.completed }
                return state
            })
    }

    /// Raises the count to `completed`. A lower value is ignored, as after a retry that starts over.
    public func raise(to completed: Int64) {
        let changed: State? = state.withLock { state in
            guard completed > state.completed else { return nil }
            state.completed = completed
            if let total = state.total, completed > total { state.total = completed }
            return state
        }
        if let changed { report(changed) }
    }

    /// Marks everything as done.
    public func finish() {
        report(
            state.withLock { state in
                state.completed = max(state.total ?? state.completed, state.completed)
                state.total = state.completed
                return state
            })
    }

    private func report(_ state: State) { onChange?(state) }
}
