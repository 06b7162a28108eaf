import FileProviding

/// Requests over one connection, for use by tasks: typed, counted, any number at once.
struct SFTPClient: Sendable {
    let connection: SFTPConnection
    let traits: ServerTraits
    let counter: RequestCounter
    let pool: ConnectionPool

    /// Sends one request and waits for its answer.
    ///
    /// - Throws: the error that ended the connection; `CancellationError`, at once, for a call that changes nothing on
    ///   the server. Any other call is waited for, so that the caller knows its outcome.
    func call(_ call: SFTPCall) async throws -> SFTPReply { try await callAll([call])[0] }

    /// Sends requests one after another and waits for all answers.
    ///
    /// - Parameter willSend: called unless the task was cancelled before anything was sent.
    func callAll(_ calls: [SFTPCall], willSend: () -> Void = {}) async throws -> [SFTPReply] {
        try Task.checkCancellation()
        willSend()
        counter.count(calls.count)
        let gathering = ReplyGathering(count: calls.count, mailbox: connection.mailbox)
        let mayLeave = calls.allSatisfy(\.isAbandonable)
        if !mayLeave { SentChanges.current?.note() }
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                gathering.begin(continuation)
                connection.mailbox.post { engine in
                    for (index, call) in calls.enumerated() {
                        engine.send(call) { answer throws(MalformedPacket) in
                            try gathering.take(answer, of: index)
                        }
                    }
                }
            }
        } onCancel: {
            if mayLeave { gathering.leave() }
        }
    }

    /// Sends a request and ignores its answer.
    func forget(_ call: SFTPCall) {
        counter.count(1)
        connection.mailbox.post { engine in
            engine.send(call) { _ in }
        }
    }

    /// Returns a client over an established connection: this one, or a new one if it was lost.
    func renewed() async throws -> SFTPClient {
        guard connection.ending != nil else { return self }
        let other = try pool.connection()
        return SFTPClient(connection: other, traits: try await other.traits(), counter: counter, pool: pool)
    }

    /// Sends a request and throws the status of its answer if it is a failure.
    func confirm(_ call: SFTPCall) async throws { try await self.call(call).confirm() }
}

/// Counts requests, to measure what an operation costs.
final class RequestCounter: Sendable {
    private let total = Locked(0)

    var value: Int { total.withLock { $0 } }
    func count(_ requests: Int) { total.withLock { $0 += requests } }
}

/// The answers to several requests, complete or abandoned.
private final class ReplyGathering: Sendable {
    private struct State {
        var continuation: CheckedContinuation<[SFTPReply], any Error>?
        var replies: [SFTPReply?]
        var missing: Int
        var hasLeft = false
    }

    private let state: Locked<State>
    private let mailbox: ConnectionMailbox

    init(count: Int, mailbox: ConnectionMailbox) {
        state = Locked(State(replies: Array(repeating: nil, count: count), missing: count))
        self.mailbox = mailbox
    }

    func begin(_ continuation: CheckedContinuation<[SFTPReply], any Error>) {
        let isLate = state.withLock { state in
            if !state.hasLeft { state.continuation = continuation }
            return state.hasLeft
        }
        if isLate { continuation.resume(throwing: CancellationError()) }
    }

    /// Abandons the answers because the task does not wait any longer. Files that are then opened for it are closed
    /// again.
    func leave() {
        let (continuation, replies) = state.withLock { state in
            state.hasLeft = true
            return (state.continuation.take(), state.replies)
        }
        for case .handle(let handle)? in replies where continuation != nil { discard(handle) }
        continuation?.resume(throwing: CancellationError())
    }

    func take(_ answer: Result<SFTPEngine.Answer, any Error>, of index: Int) throws(MalformedPacket) {
        switch answer {
        case .failure(let error):
            state.withLock { $0.continuation.take() }?.resume(throwing: error)
        case .success(let answer):
            let reply = try SFTPReply(answer.type, answer.body)
            let (continuation, replies, isUnwanted) = state.withLock { state in
                state.replies[index] = reply
                state.missing -= 1
                let whole = state.missing == 0 ? state.continuation.take() : nil
                return (whole, state.replies, state.hasLeft)
            }
            if isUnwanted, case .handle(let handle) = reply { discard(handle) }
            continuation?.resume(returning: replies.compactMap { $0 })
        }
    }

    private func discard(_ handle: [UInt8]) {
        mailbox.post { engine in
            engine.send(.close(handle)) { _ in }
        }
    }
}
