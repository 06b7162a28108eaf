import FileProviding
import Foundation

/// One connection to a server: a transport on a thread of its own, shared by any number of concurrent tasks.
///
/// Connecting begins with the object's creation; the connection ends when the object has been released and its last
/// answers have arrived.
final class SFTPConnection: Sendable {
    private enum State {
        case connecting([UInt64: CheckedContinuation<ServerTraits, any Error>])
        case ready(ServerTraits)
        case ended(any Error, wasReady: Bool)

        var waiting: [CheckedContinuation<ServerTraits, any Error>] {
            if case .connecting(let waiting) = self { Array(waiting.values) } else { [] }
        }
    }

    let mailbox: ConnectionMailbox
    private let state: Locked<State>
    private let waiterNumber = Locked<UInt64>(0)

    /// - Parameters:
    ///   - patience: see ``SSHConfiguration/answerTimeout``.
    ///   - idleLimit: the time without requests after which the connection ends by itself; `nil` for never.
    /// - Throws: when this process may not open more files.
    init(_ transport: any SSHTransport, url: URL, patience: Duration, idleLimit: Duration? = nil) throws {
        let state = Locked(State.connecting([:]))
        let mailbox = try ConnectionMailbox()
        self.state = state
        self.mailbox = mailbox
        let thread = Thread { Self.live(transport, mailbox, state, url: url, patience, idleLimit) }
        thread.stackSize = 512 << 10
        thread.name = "SFTP"
        thread.start()
    }

    deinit { mailbox.close() }

    /// Why the connection cannot be used any more, or `nil` while it can be.
    var ending: (any Error)? {
        state.withLock { if case .ended(let error, _) = $0 { error } else { nil } }
    }

    /// The server's traits, while the connection is established.
    var readyTraits: ServerTraits? {
        state.withLock { if case .ready(let traits) = $0 { traits } else { nil } }
    }

    /// Whether the connection ended after it had been established.
    var wasLost: Bool {
        state.withLock { if case .ended(_, true) = $0 { true } else { false } }
    }

    /// Returns the server's traits; waits until they are known.
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
                    case .ended(let error, _): return .failure(error)
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

    /// The pauses, in milliseconds, before trying again when a server closes the connection without a greeting; all but
    /// the last one when it refuses the connection.
    private static let pauses: [Int32] = [250, 500, 1_000, 2_000]

    private static func live(
        _ transport: any SSHTransport, _ mailbox: ConnectionMailbox, _ state: Locked<State>, url: URL,
        _ patience: Duration, _ idleLimit: Duration?
    ) {
        // A helper connection does not compete for the server's login slots.
        var pauses = idleLimit == nil ? Self.pauses : []
        /// Returns whether to try again after a pause.
        func repeats(after error: any Error) -> Bool {
            guard let error = error as? URLError, error.isUngreeted, !mailbox.isClosed,
                pauses.count > (error.code == .cannotConnectToHost ? 1 : 0)
            else { return false }
            let pause = pauses.removeFirst()
            mailbox.waker.wait(milliseconds: pause + Int32.random(in: 0...pause / 2))
            return !mailbox.isClosed
        }
        while true {
            do {
                let channel = try transport.connect(mailbox.waker)
                let engine = SFTPEngine(
                    channel, url: url, patience: patience, idleLimit: idleLimit
                ) { note(state, roundTrip: $0) }
                var isRepeated = false
                Handshake(engine, window: channel.window) { result in
                    switch result {
                    case .success(let traits): begin(state, traits)
                    case .failure(let error): if !isRepeated { end(state, error) }
                    }
                }.begin()
                engine.run(mailbox) { error in
                    isRepeated = repeats(after: error)
                    if !isRepeated { end(state, error) }
                }
                if isRepeated { continue }
                return mailbox.end(engine)
            } catch {
                if repeats(after: error) { continue }
                return end(state, error)
            }
        }
    }

    /// Resumes those who waited for the connection.
    private static func begin(_ state: Locked<State>, _ traits: ServerTraits) {
        let waiting = state.withLock { state in
            defer { state = .ready(traits) }
            return state.waiting
        }
        for waiter in waiting { waiter.resume(returning: traits) }
    }

    /// Records a round trip. The first one may have met a busy machine; the shortest one tells how far away the server
    /// is.
    private static func note(_ state: Locked<State>, roundTrip: Duration) {
        state.withLock { state in
            guard case .ready(var traits) = state, roundTrip < traits.roundTrip else { return }
            traits.roundTrip = roundTrip
            state = .ready(traits)
        }
    }

    /// Resumes those who wait for a connection that was never established.
    private static func end(_ state: Locked<State>, _ error: any Error) {
        let waiting = state.withLock { state in
            switch state {
            case .connecting: defer { state = .ended(error, wasReady: false) }; return state.waiting
            case .ready: state = .ended(error, wasReady: true)
            case .ended(_, let wasReady): state = .ended(error, wasReady: wasReady)
            }
            return []
        }
        for waiter in waiting { waiter.resume(throwing: error) }
    }
}
