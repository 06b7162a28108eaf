/// A result that several tasks wait for. A task that is cancelled stops waiting; the others do not notice.
package final class SharedResult<Value: Sendable>: Sendable {
    private struct State {
        var result: Result<Value, any Error>?
        var waiting: [Int: CheckedContinuation<Value, any Error>] = [:]
        var tickets = 0
    }

    private let state = Locked(State())

    package init() {}

    /// The result, once there is one.
    package var result: Result<Value, any Error>? { state.withLock { $0.result } }

    /// Whether somebody waits for it.
    package var isAwaited: Bool { state.withLock { !$0.waiting.isEmpty } }

    /// Gives the result to all who wait now or later; only the first one counts.
    package func finish(_ result: Result<Value, any Error>) {
        let waiting = state.withLock { state in
            guard state.result == nil else { return [Int: CheckedContinuation<Value, any Error>]().values }
            state.result = result
            defer { state.waiting = [:] }
            return state.waiting.values
        }
        for continuation in waiting { continuation.resume(with: result) }
    }

    package func value() async throws -> Value {
        let ticket = state.withLock { state in
            state.tickets += 1
            return state.tickets
        }
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let result = state.withLock { state -> Result<Value, any Error>? in
                    if Task.isCancelled { return .failure(CancellationError()) }
                    if state.result == nil { state.waiting[ticket] = continuation }
                    return state.result
                }
                if let result { continuation.resume(with: result) }
            }
        } onCancel: {
            state.withLock { $0.waiting.removeValue(forKey: ticket) }?.resume(throwing: CancellationError())
        }
    }
}
