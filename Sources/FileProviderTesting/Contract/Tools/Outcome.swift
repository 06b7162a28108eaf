import FileProviding

/// A value that is set once and that anyone can wait for.
final class Outcome<Value: Sendable>: Sendable {
    private enum State {
        case pending([CheckedContinuation<Value, Never>])
        case settled(Value)
    }

    private let state = Locked(State.pending([]))

    /// Sets the value; later ones are ignored.
    func set(_ value: Value) {
        let waiting: [CheckedContinuation<Value, Never>] = state.withLock { state in
            guard case .pending(let waiting) = state else { return [] }
            state = .settled(value)
            return waiting
        }
        for continuation in waiting { continuation.resume(returning: value) }
    }

    /// The value, as soon as it is set.
    var value: Value {
        get async {
            await withCheckedContinuation { continuation in
                let settled: Value? = state.withLock { state in
                    switch state {
                    case .settled(let value): return value
                    case .pending(let waiting):
                        state = .pending(waiting + [continuation])
                        return nil
                    }
                }
                if let settled { continuation.resume(returning: settled) }
            }
        }
    }
}

extension Outcome where Value == Void {
    /// Resumes everyone who waits for ``value``.
    func open() { set(()) }
}
