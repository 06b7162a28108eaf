import FileProviding
import HTTPFiles

/// A value that is determined at most once; concurrent callers wait for the same answer. A failure is not remembered.
final class Once<Value: Sendable>: Sendable {
    private enum State {
        case unknown
        case asking(SharedResult<Value>)
        case known(Value)
    }

    private let state = Locked(State.unknown)

    /// The value, if it is known.
    var known: Value? {
        state.withLock { if case .known(let value) = $0 { value } else { nil } }
    }

    /// Returns the value; determined by `find` unless that was done already or is being done.
    ///
    /// The work belongs to no caller: one that is cancelled stops waiting, the others do not notice.
    func value(_ find: @escaping @Sendable () async throws -> Value) async throws -> Value {
        let (result, isFirst) = state.withLock { state -> (SharedResult<Value>, Bool) in
            let result = SharedResult<Value>()
            switch state {
            case .known(let value):
                result.finish(.success(value))
                return (result, false)
            case .asking(let earlier): return (earlier, false)
            case .unknown:
                state = .asking(result)
                return (result, true)
            }
        }
        if isFirst { Task { await self.ask(find, for: result) } }
        return try await result.value()
    }

    private func ask(_ find: @Sendable () async throws -> Value, for result: SharedResult<Value>) async {
        do {
            let value = try await find()
            state.withLock { $0 = .known(value) }
            result.finish(.success(value))
        } catch {
            state.withLock { $0 = .unknown }
            result.finish(.failure(error))
        }
    }
}
