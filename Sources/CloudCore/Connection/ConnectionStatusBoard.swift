import FileProviding
import Foundation

/// The state of the connection to the server, for reading and observing.
final class ConnectionStatusBoard: Sendable {
    private struct State {
        var status = ConnectionStatus.unknown
        /// The failure that led to the status, if known.
        var failure: EventFailure?
        var listeners: [UUID: AsyncStream<ConnectionStatus>.Continuation] = [:]
    }

    private let state = Locked(State())

    var status: ConnectionStatus { state.withLock { $0.status } }

    /// The error to throw instead of sending a request while only the user can resolve the problem: the server did not
    /// accept the credential, is not trusted, or has moved. `nil` while requests may be sent.
    var refusal: (any Error)? {
        state.withLock { state in state.status.needsUser ? state.failure?.error ?? state.status.error : nil }
    }

    /// Sets the status and the failure that led to it, without notifying observers. Returns the previous status.
    func set(_ status: ConnectionStatus, by failure: EventFailure? = nil) -> ConnectionStatus {
        state.withLock { state in
            defer { state.status = status }
            if failure != nil || state.status != status { state.failure = failure }
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
