import FileProviding

/// A value that is determined at most once; concurrent callers wait for the same answer. A failure is not remembered.
final class Once<Value: Sendable>: Sendable {
    private enum State {
        case unknown
        case asking(Task<Value, any Error>)
        case known(Value)
    }

    private let state = Locked(State.unknown)

    /// The value, if it is known.
    var known: Value? {
        state.withLock { if case .known(let value) = $0 { value } else { nil } }
    }

    /// Returns the value; determined by `find` unless that was done already or is being done.
    ///
    /// The work belongs to no caller: cancelling one that waits does not fail the others.
    func value(_ find: @escaping @Sendable () async throws -> Value) async throws -> Value {
        let task: Task<Value, any Error>? = state.withLock { state in
            switch state {
            case .known: return nil
            case .asking(let task): return task
            case .unknown:
                let task = Task { try await find() }
                state = .asking(task)
                return task
            }
        }
        guard let task else {
            if let known { return known }
            return try await find()
        }
        do {
            let value = try await task.value
            state.withLock { $0 = .known(value) }
            return value
        } catch {
            state.withLock { if case .asking(task) = $0 { $0 = .unknown } }
            throw error
        }
    }
}
