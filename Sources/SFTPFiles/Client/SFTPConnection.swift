import FileProviding
import Foundation

/// One connection to a server: a transport on a thread of its own, shared by any number of tasks at once.
///
/// Connecting begins with the object and ends when nobody holds it any more and its last answers are in.
final class SFTPConnection: Sendable {
    private enum State {
        case connecting([UInt64: CheckedContinuation<ServerTraits, any Error>])
        case ready(ServerTraits)
        case ended(any Error)
    }

    let mailbox: ConnectionMailbox
    private let state: Locked<State>
    private let waiterNumber = Locked<UInt64>(0)

    /// - Throws: when this process may open no more files.
    init(_ transport: any SSHTransport, url: URL, patience: Duration) throws {
        let state = Locked(State.connecting([:]))
        let mailbox = try ConnectionMailbox()
        self.state = state
        self.mailbox = mailbox
        let thread = Thread { Self.live(transport, mailbox, state, url: url, patience: patience) }
        thread.stackSize = 512 << 10
        thread.name = "SFTP"
        thread.start()
    }

    deinit { mailbox.close() }

    /// Why the connection cannot be used any more, or `nil` while it can.
    var ending: (any Error)? {
        state.withLock { if case .ended(let error) = $0 { error } else { nil } }
    }

    /// What the server said of itself; waits until it has.
    func traits() async throws -> ServerTraits {
        let number = waiterNumber.withLock { number in
            number += 1
            return number
        }
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let answer: Result<ServerTraits, any Error>? = state.withLock { state in
                    switch state {
                    case .ready(let traits): return .success(traits)
                    case .ended(let error): return .failure(error)
                    case .connecting(var waiting):
                        if Task.isCancelled { return .failure(CancellationError()) }
                        waiting[number] = continuation
                        state = .connecting(waiting)
                        return nil
                    }
                }
                if let answer { continuation.resume(with: answer) }
            }
        } onCancel: {
            let waiter = state.withLock { state -> CheckedContinuation<ServerTraits, any Error>? in
                guard case .connecting(var waiting) = state else { return nil }
                let waiter = waiting.removeValue(forKey: number)
                state = .connecting(waiting)
                return waiter
            }
            waiter?.resume(throwing: CancellationError())
        }
    }

    // MARK: On the connection's thread

    private static func live(
        _ transport: any SSHTransport, _ mailbox: ConnectionMailbox, _ state: Locked<State>, url: URL,
        patience: Duration
    ) {
        do {
            let channel = try transport.connect(mailbox.waker)
            let engine = SFTPEngine(channel, mailbox: mailbox, url: url, patience: patience)
            Handshake(engine) { result in
                switch result {
                case .success(let traits): settle(state, .ready(traits))
                case .failure(let error): settle(state, .ended(error))
                }
            }.begin()
            engine.run { settle(state, .ended($0)) }
        } catch {
            settle(state, .ended(error))
        }
    }

    /// Moves on, and answers those who waited for the connection.
    private static func settle(_ state: Locked<State>, _ next: State) {
        let waiting = state.withLock { state in
            defer { state = next }
            if case .connecting(let waiting) = state { return Array(waiting.values) }
            return []
        }
        for waiter in waiting {
            switch next {
            case .ready(let traits): waiter.resume(returning: traits)
            case .ended(let error): waiter.resume(throwing: error)
            case .connecting: break
            }
        }
    }
}
