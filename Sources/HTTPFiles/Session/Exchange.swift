import FileProviding
import Foundation

/// A caller's request on its way to the final reply: through redirections, challenges, certificates and retries.
struct Exchange {
    let session: HTTPSession
    let mode: ReplyMode
    let progress: (@Sendable (Int64) -> Void)?
    private var request: HTTPRequest { didSet { origin = Origin(request.url) } }
    private var origin: Origin?
    private var redirection = Redirection()
    private var retries = 0
    private var challenges = 0
    private var hasLookedAgain = false
    /// The certificates that were accepted on the way: an error about one of them is final.
    private var accepted: Set<ServerCertificate> = []
    /// When the server could first be asked, in the pacer's time.
    private var start: TimeInterval = 0

    init(_ request: HTTPRequest, mode: ReplyMode, progress: (@Sendable (Int64) -> Void)? = nil, in session: HTTPSession)
    {
        self.request = request
        origin = Origin(request.url)
        self.mode = mode
        self.session = session
        self.progress = progress
    }

    private var limits: HTTPLimits { request.limits ?? session.configuration.limits }
    private var elapsed: TimeInterval { session.pacer.elapsed() - start }
    private var patience: TimeInterval { Patience.limit / .seconds(1) }

    mutating func run() async throws -> Reply {
        try validate()
        try await waitUntilWelcome()
        while true {
            let deadlines = try remainingDeadlines()
            do {
                if let reply = try await attempt(deadlines) { return reply }
            } catch let error as URLError {
                guard let certificate = error.serverCertificate, accepted.insert(certificate).inserted,
                    try await session.trust.accepts(certificate)
                else { throw error }
            }
        }
    }

    /// Sends the request once. Returns `nil` when it is to be sent again.
    private mutating func attempt(_ deadlines: HTTPDeadlines) async throws -> Reply? {
        let authorization = try await session.authorization(for: request, to: origin)
        let attempt = try Attempt(
            request, authorization, to: origin,
            trust: try await session.trust.trust(for: request.url, of: origin, deadlines: deadlines),
            deadlines: deadlines, in: session)
        let sent = session.pacer.elapsed()
        do {
            let reply = try await attempt.perform(mode: mode, progress: progress, isWanted: isFinal())
            noteSent()
            session.requestedPauses.note(
                reply.response.status, retryAfter: retryAfter(reply.response), from: origin, sentAt: sent)
            return try await goesOn(after: reply, authorization, isUntouched: attempt.isBodyUntouched) ? nil : reply
        } catch let failure as TransferFailure {
            if failure.stage != .notSent { noteSent() }
            try await recover(from: failure, isUntouched: attempt.isBodyUntouched, deadlines)
            return nil
        }
    }

    /// Waits as long as the server has asked for, if the current task is patient, but no longer than the request may
    /// take; its own time begins then.
    private mutating func waitUntilWelcome() async throws {
        let total = (request.deadlines ?? session.configuration.deadlines).total ?? .infinity
        try await session.requestedPauses.wait(for: origin, limit: min(patience, total))
        start = session.pacer.elapsed()
    }

    private func noteSent() {
        if !request.method.isReading { SentChanges.current?.note() }
    }

    private func validate() throws {
        let url = request.url
        guard let scheme = url.scheme?.lowercased(), ["http", "https"].contains(scheme) else {
            throw urlError(url, code: .unsupportedURL)
        }
        guard url.user(percentEncoded: true) == nil, url.password(percentEncoded: true) == nil else {
            throw urlError(url, code: .badURL, reason: "user and password do not belong in a URL")
        }
        guard isToken(request.method.rawValue) else { throw urlError(url, code: .badURL, reason: "not a method") }
    }

    private func remainingDeadlines() throws -> HTTPDeadlines {
        var deadlines = request.deadlines ?? session.configuration.deadlines
        if let total = deadlines.total {
            guard elapsed < total else { throw urlError(request.url, code: .timedOut) }
            deadlines.total = total - elapsed
        }
        return deadlines
    }

    /// Returns a closure that tells, on the transport's thread, whether a reply is for the caller and not for `goesOn`.
    private func isFinal() -> @Sendable (HTTPResponse) -> Bool {
        let canAnswer = challenges < 2 && request.sendsCredential && session.authenticator.canAnswer(origin)
        let canFollow = session.configuration.followsRedirects && limits.redirects > 0
        let (policy, request, retries) = (session.configuration.retry, request, retries)
        return { response in
            switch response.status {
            case 401: !canAnswer
            case let status where Redirection.isRedirect(status): !canFollow
            case let status: !policy.allowsRetry(of: request, status: status, retries: retries)
            }
        }
    }

    /// Prepares the next request to send. Returns `false` when the reply is for the caller.
    private mutating func goesOn(
        after reply: Reply, _ authorization: Authenticator.Authorization, isUntouched: Bool
    ) async throws -> Bool {
        let response = reply.response
        if response.status == 401 {
            guard challenges < 2, request.sendsCredential else { return false }
            challenges += 1
            return try await session.answer(response, to: authorization, isFirst: challenges == 1)
                && (request.body.isReplayable || isUntouched)
        }
        if response.isSuccess, session.authenticator.isFor(origin) { session.authenticator.confirm() }
        if session.configuration.followsRedirects,
            let next = try redirection.next(after: response, to: request, limit: limits.redirects)
        {
            request = next
            if let origin = redirection.permanentOrigin { session.notePermanentRedirection(of: origin, to: next.url) }
            return true
        }
        guard session.configuration.retry.allowsRetry(of: request, status: response.status, retries: retries) else {
            return false
        }
        return try await pauses(retryAfter: retryAfter(response))
    }

    private func retryAfter(_ response: HTTPResponse) -> TimeInterval? {
        response.isSuccess ? nil : RetryPolicy.retryAfter(response.headers, now: session.pacer.date())
    }

    private mutating func recover(
        from failure: TransferFailure, isUntouched: Bool, _ deadlines: HTTPDeadlines
    ) async throws {
        if let problem = failure.certificateProblem {
            if problem == .notPinned, !hasLookedAgain {
                hasLookedAgain = true
                return session.trust.lookAgain(at: request.url)
            }
            throw try await session.trust.explained(failure.error, problem, request.url, deadlines: deadlines)
        }
        let isLost = failure.stage == .interrupted && !mode.isRepeatable
        guard !isLost,
            session.configuration.retry.allowsRetry(
                of: request, after: failure, retries: retries, isUntouched: isUntouched),
            try await pauses(retryAfter: nil)
        else { throw failure.error }
    }

    /// Waits before a retry. Returns `false` when there is no time for it.
    private mutating func pauses(retryAfter: TimeInterval?) async throws -> Bool {
        let pacer = session.pacer
        let total = (request.deadlines ?? session.configuration.deadlines).total ?? .infinity
        guard
            let pause = session.configuration.retry.pause(
                retries: retries, elapsed: elapsed, retryAfter: retryAfter, patience: patience,
                random: pacer.random()),
            elapsed + pause < total
        else { return false }
        retries += 1
        session.journal.noteRetry(request, pause: pause)
        try await pacer.sleep(pause)
        return true
    }
}

extension ReplyMode {
    /// Whether a reply that broke off in its body can be requested again without the caller noticing.
    fileprivate var isRepeatable: Bool {
        if case .whole = self { true } else { false }
    }
}
