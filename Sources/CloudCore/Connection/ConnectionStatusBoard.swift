import FileProviding
import Foundation

/// The state of the connection to the server, for reading and observing.
final class ConnectionStatusBoard: Sendable {
    private struct State {
        var status = ConnectionStatus.unknown
        var listeners: [UUID: AsyncStream<ConnectionStatus>.Continuation] = [:]
    }

    private let state = Locked(State())

    var status: ConnectionStatus { state.withLock { $0.status } }

    /// Sets the state without notifying anybody yet. Returns the previous state.
    func set(_ status: ConnectionStatus) -> ConnectionStatus {
        state.withLock { state in
            defer { state.status = status }
            return state.status
        }
    }

    /// Notifies the observers of the state, once everything about it has been recorded.
    func tell() {
        let (status, listeners) = state.withLock { ($0.status, $0.listeners.values) }
        for listener in listeners { listener.yield(status) }
    }

    /// Resets the state to unknown.
    func forget() { if set(.unknown) != .unknown { tell() } }

    /// Returns the current state and every change from then on; a slow reader gets the last one.
    func statuses() -> AsyncStream<ConnectionStatus> {
        let (stream, listener) = AsyncStream.makeStream(
            of: ConnectionStatus.self, bufferingPolicy: .bufferingNewest(1))
        let id = UUID()
        listener.onTermination = { [weak self] _ in
            self?.state.withLock { _ = $0.listeners.removeValue(forKey: id) }
        }
        let status = state.withLock { state in
            state.listeners[id] = listener
            return state.status
        }
        listener.yield(status)
        return stream
    }
}
