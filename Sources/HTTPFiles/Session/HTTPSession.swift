import FileProviding
import Foundation
import Logging

/// Requests to one server: connections kept open, credentials, redirections, retries, deadlines and limits.
///
/// A status is a reply, not an error: the provider decides what it means. Errors are `URLError` for trouble on the way,
/// `CocoaError` for trouble with a local file, and `CancellationError` when the task was cancelled; none shows a secret.
/// A request that changes something and has left whole is not called back by cancelling: its reply is still awaited, for two
/// seconds, so that the caller learns what became of it.
/// Dropping the session does not cancel requests in flight.
public final class HTTPSession: Sendable {
    /// How the session reaches its server.
    public let configuration: HTTPSessionConfiguration
    /// The server that the credential and the extra headers are for, or `nil` where there is none.
    public let origin: URL?

    let loop: TransferLoop
    let trust: TrustKeeper
    let authenticator: Authenticator
    package let pacer: Pacer
    let journal: SessionJournal
    let cache: HTTPResponseCache
    /// Servers that let a request wait in vain for `100 Continue`.
    private let impatientServers = Locked<Set<Origin>>([])
    /// Where requests were sent on to for good, by the address that was asked for.
    private let permanentRedirections = Locked<[String: URL]>([:])

    /// A session. Nothing is connected before the first request.
    ///
    /// - Parameters:
    ///   - origin: a URL whose scheme, host and port say where the credential and extra headers may go.
    ///   - configuration: how the server is reached.
    ///   - credential: who the requests are from.
    ///   - proxyCredential: a password for the configuration's proxy.
    ///   - cache: where replies are kept, if the configuration's cache policy says so; by default the session's own.
    ///   - logger: gets one debug line for each request; what it logs to is decided when the session is made.
    ///   - credentialDidChange: told of a token that was renewed, on no particular thread.
    public convenience init(
        origin: URL?, configuration: HTTPSessionConfiguration = HTTPSessionConfiguration(),
        credential: Credential? = nil, proxyCredential: Credential? = nil, cache: HTTPResponseCache? = nil,
        logger: Logger = Logger(label: "HTTPFiles"), credentialDidChange: (@Sendable (Credential) -> Void)? = nil
    ) {
        self.init(
            origin: origin, configuration: configuration, credential: credential, proxyCredential: proxyCredential,
            cache: cache, logger: logger, pacer: Pacer(clock: ContinuousClock()),
            credentialDidChange: credentialDidChange)
    }

    package init(
        origin: URL?, configuration: HTTPSessionConfiguration, credential: Credential? = nil,
        proxyCredential: Credential? = nil,
        cache: HTTPResponseCache? = nil, logger: Logger = Logger(label: "HTTPFiles"), pacer: Pacer,
        credentialDidChange: (@Sendable (Credential) -> Void)? = nil
    ) {
        self.origin = origin
        self.configuration = configuration
        self.pacer = pacer
        self.cache = cache ?? HTTPResponseCache()
        let settings = HandleSettings(configuration: configuration, proxyCredential: proxyCredential)
        loop = TransferLoop(settings)
        trust = TrustKeeper(settings)
        journal = SessionJournal(logger)
        authenticator = Authenticator(
            origin: origin.flatMap { Origin($0) }, credential: credential, now: pacer.date,
            didChange: credentialDidChange)
    }

    deinit { loop.close() }

    /// Who the requests are from. Setting it forgets what was learned about the former one.
    public var credential: Credential? {
        get { authenticator.credential }
        set { authenticator.credential = newValue }
    }

    /// Whether the credential stays behind until the server asks for one.
    package var awaitsChallenge: Bool { authenticator.awaitsChallenge }

    /// Requests put on the wire since the session was made, redirections, retries and challenges included.
    public var requestCount: Int { loop.requestCount }

    /// Trusts a certificate that a person looked at; for its host from now on only those that are trusted so.
    ///
    /// To keep the decision, put it into ``HTTPSessionConfiguration/pinnedCertificates`` as well.
    public func pin(_ certificate: ServerCertificate) { trust.pin(certificate) }

    /// Who decides about certificates that do not verify, while their requests wait; `nil`, the default, refuses them.
    public var trustDecider: (any ServerTrustDeciding)? {
        get { trust.decider }
        set { trust.decider = newValue }
    }
}

extension HTTPSession {
    /// Where the server has last sent the reading requests for an address on to for good (301, 308), or `nil`. An address that
    /// differs in its last slash alone is no other.
    public func permanentRedirection(of url: URL) -> URL? {
        permanentRedirections.withLock { $0[url.withoutLastSlash] }
    }

    func notePermanentRedirection(of url: URL, to target: URL) {
        guard url.withoutLastSlash != target.withoutLastSlash else { return }
        permanentRedirections.withLock { known in
            if known.count >= 64 { known = [:] }
            known[url.withoutLastSlash] = target
        }
    }

    func authorization(for request: HTTPRequest, to origin: Origin?) async throws -> Authenticator.Authorization {
        try await authenticator.authorization(for: request, to: origin) { try await self.renew($0) }
    }

    /// Whether the request that got a 401 may succeed when sent again.
    func answer(_ response: HTTPResponse, to sent: Authenticator.Authorization) async throws -> Bool {
        try await authenticator.answer(response, to: sent) { try await self.renew($0) }
    }

    private func renew(_ token: OAuth2Token) async throws -> OAuth2Token {
        let renewal = TokenRenewal(token: token, now: pacer.date())
        var exchange = Exchange(try renewal.request(), mode: .whole, in: self)
        let reply = try await exchange.run()
        guard case .whole(let body) = reply.body else { return token }
        return try renewal.successor(reply.response, body)
    }

    /// Whether a request's body waits until the server has seen the head (RFC 9110, section 10.1.1).
    ///
    /// Worth a round trip where the body is large, or can be sent only once, and the server may refuse it by its head:
    /// while it has not yet taken the credential, and where a precondition may fail. A server that did not answer is
    /// not asked again.
    func awaitsContinue(_ request: HTTPRequest) -> Bool {
        guard request.body.length ?? .max > (request.body.isReplayable ? 1 << 20 : 0) else { return false }
        // `If-Match: *` is for what is there unless something went wrong.
        let mayRefuse =
            !authenticator.isConfirmed || request.headers["If-Match"] ?? "*" != "*"
            || request.headers["If-None-Match"] != nil
        guard mayRefuse, let origin = Origin(request.url) else { return false }
        return !impatientServers.withLock { $0.contains(origin) }
    }

    func noteContinue(_ reply: Reply, from url: URL) {
        guard !reply.sawContinue, reply.response.isSuccess, let origin = Origin(url) else { return }
        _ = impatientServers.withLock { $0.insert(origin) }
    }
}

extension URL {
    fileprivate var withoutLastSlash: String {
        let text = absoluteString
        return text.hasSuffix("/") ? String(text.dropLast()) : text
    }
}
