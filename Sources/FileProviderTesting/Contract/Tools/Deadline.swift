import FileProviding

/// Runs `body`, but not longer than `duration`.
///
/// The work is a separate task that is cancelled but not awaited when its time is up: waiting would not end what hangs,
/// and a hanging provider should be reported by the case's name, not by a test run that never ends.
func withDeadline<Value: Sendable>(
    _ duration: Duration, _ what: String, _ body: @escaping @Sendable () async throws -> Value
) async throws -> Value {
    let outcome = Outcome<Result<Value, any Error>>()
    let work = Task {
        let result: Result<Value, any Error>
        do { result = .success(try await body()) } catch { result = .failure(error) }
        outcome.set(result)
    }
    let timer = Task {
        guard (try? await Task.sleep(for: duration)) != nil else { return }
        outcome.set(.failure(ContractFailure("\(what): not done within \(duration)")))
    }
    let result = await withTaskCancellationHandler {
        await outcome.value
    } onCancel: {
        work.cancel()
    }
    timer.cancel()
    work.cancel()
    return try result.get()
}

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
