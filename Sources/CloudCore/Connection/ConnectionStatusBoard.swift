import FileProviding
import Foundation

/// How the way to the server stands, for those who look and those who want to be told.
final class ConnectionStatusBoard: Sendable {
    private struct State {
        var status = ConnectionStatus.unknown
        var listeners: [UUID: AsyncStream<ConnectionStatus>.Continuation] = [:]
    }

    private let state = Locked(State())

    var status: ConnectionStatus { state.withLock { $0.status } }

    /// Notes how it stands, which nobody is told yet. Returns how it stood before.
    func set(_ status: ConnectionStatus) -> ConnectionStatus {
        state.withLock { state in
            defer { state.status = status }
            return state.status
        }
    }

    /// Tells how it stands, when what there is to know of it is written down.
    func tell() {
        let (status, listeners) = state.withLock { ($0.status, $0.listeners.values) }
        for listener in listeners { listener.yield(status) }
    }

    /// Nothing is known of it any more.
    func forget() { if set(.unknown) != .unknown { tell() } }

    /// How it stands, and every change from then on; who is slow gets the last one.
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
