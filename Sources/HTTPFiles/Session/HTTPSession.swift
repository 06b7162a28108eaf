import FileProviding
import Foundation
import Logging

/// A session of requests to one server: persistent connections, credentials, redirections, retries, deadlines and
/// limits.
///
/// A status is a reply, not an error: the provider decides what it means. Errors are `URLError` for failures of the
/// connection, `CocoaError` for failures with a local file, and `CancellationError` when the task was cancelled; none
/// shows a secret. Cancelling does not abort a request that changes something and has been sent completely: its reply
/// is still awaited, for two seconds, so that the caller learns its outcome. Dropping the session does not cancel
/// requests in flight.
public final class HTTPSession: Sendable {
    /// How the session reaches its server.
    public let configuration: HTTPSessionConfiguration
    /// The server that the credential and the extra headers are for, or `nil` for none.
    public let origin: URL?

    /// Whether the current task holds a reply whose body it will read only when its other requests are answered: these
    /// must not wait for that reply's connection.
    @TaskLocal package static var isBesideReply = false
    /// Whether the current task needs the server's word, and no kept reply.
    @TaskLocal static var asksServer = false

    let loop: TransferLoop
    let trust: TrustKeeper
    let authenticator: Authenticator
    package let pacer: Pacer
    let journal: SessionJournal
    let cache: HTTPResponseCache
    let requestedPauses: RequestedPauses
    /// Servers that let a request wait for `100 Continue` in vain.
    private let impatientServers = Locked<Set<Origin>>([])
    /// The targets of permanent redirections, by the requested address.
    private let permanentRedirections = Locked<[String: URL]>([:])

    /// Creates a session. Nothing is connected before the first request.
    ///
    /// - Parameters:
    ///   - origin: a URL whose scheme, host and port define where the credential, the client's certificate and
    ///     extra headers may be sent.
    ///   - configuration: how the server is reached.
    ///   - credential: the credential of the requests.
    ///   - proxyCredential: a password for the configuration's proxy.
    ///   - cache: where replies are kept, if the configuration's cache policy keeps them; by default a cache of this
    ///     session alone.
    ///   - logger: receives one debug line for each request; its log handler is fixed when the session is created.
    public convenience init(
        origin: URL?, configuration: HTTPSessionConfiguration = HTTPSessionConfiguration(),
        credential: Credential? = nil, proxyCredential: Credential? = nil, cache: HTTPResponseCache? = nil,
        logger: Logger = Logger(label: "HTTPFiles")
    ) {
        self.init(
            origin: origin, configuration: configuration, credential: credential, proxyCredential: proxyCredential,
            cache: cache, logger: logger, pacer: Pacer(clock: ContinuousClock()))
    }

    package init(
        origin: URL?, configuration: HTTPSessionConfiguration, credential: Credential? = nil,
        proxyCredential: Credential? = nil,
        cache: HTTPResponseCache? = nil, logger: Logger = Logger(label: "HTTPFiles"), pacer: Pacer
    ) {
        self.origin = origin
        self.configuration = configuration
        self.pacer = pacer
        self.cache = cache ?? HTTPResponseCache()
        requestedPauses = RequestedPauses(pacer: pacer)
        let settings = HandleSettings(
            configuration: configuration, proxyCredential: proxyCredential, origin: origin.flatMap { Origin($0) })
        loop = TransferLoop(settings)
        trust = TrustKeeper(settings)
        journal = SessionJournal(logger)
        authenticator = Authenticator(
            origin: origin.flatMap { Origin($0) }, credential: credential, now: pacer.date)
    }

    deinit { loop.close() }

    /// The credential of the requests. Setting it discards what was learned about the previous one.
    public var credential: Credential? {
        get { authenticator.credential }
        set { authenticator.credential = newValue }
    }

    /// Called with a renewed token, on an arbitrary thread: store it, since a server may accept the old one no more.
    public var credentialDidChange: (@Sendable (Credential) -> Void)? {
        get { authenticator.didChange }
        set { authenticator.didChange = newValue }
    }

    /// Returns the account for a provider's identity: the credential's user, or the one that the configuration names;
    /// otherwise a digest of the token that was set, even when it is renewed (`Credential.account`).
    ///
    /// - Parameter user: the user that the provider's configuration names.
    public func account(named user: String? = nil) -> String? { credential?.user ?? user ?? authenticator.account }

    /// Whether the credential is held back until the server asks for one.
    package var awaitsChallenge: Bool { authenticator.awaitsChallenge }

    /// The number of requests sent since the session was created, including redirections, retries and challenges.
    public var requestCount: Int { loop.requestCount }

    /// Trusts a certificate that a user has inspected. From then on, its host is accepted only with certificates
    /// trusted this way.
    ///
    /// To keep the decision, also add the certificate to ``HTTPSessionConfiguration/pinnedCertificates``.
    public func pin(_ certificate: ServerCertificate) { trust.pin(certificate) }

    /// The object that decides about certificates that could not be verified, while their requests wait; `nil`, the
    /// default, refuses them.
    public var trustDecider: (any ServerTrustDeciding)? {
        get { trust.decider }
        set { trust.decider = newValue }
    }
}

extension HTTPSession {
    /// Returns the address that requests for `url` were last permanently redirected to (301, 308), or `nil`. Addresses
    /// that differ only in a trailing slash are treated as the same.
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

    /// Returns whether the request that got a 401 may succeed when sent again.
    func answer(
        _ response: HTTPResponse, to sent: Authenticator.Authorization, isFirst: Bool
    ) async throws -> Bool {
        try await authenticator.answer(response, to: sent, isFirst: isFirst) { try await self.renew($0) }
    }

    private func renew(_ token: OAuth2Token) async throws -> OAuth2Token {
        let renewal = TokenRenewal(token: token, now: pacer.date())
        var exchange = Exchange(try renewal.request(), mode: .whole, in: self)
        let reply = try await exchange.run()
        guard case .whole(let body) = reply.body else { return token }
        return try renewal.successor(reply.response, body)
    }

    /// Returns whether a request's body waits until the server has seen the head (RFC 9110, section 10.1.1).
    ///
    /// That is worth a round trip if the body is large, or can be sent only once, and the server may refuse it by its
    /// head: before it has accepted the credential, and if a precondition may fail. A server that did not answer is not
    /// asked again.
    func awaitsContinue(_ request: HTTPRequest) -> Bool {
        guard request.body.length ?? .max > (request.body.isReplayable ? 1 << 20 : 0) else { return false }
        // `If-Match: *` only requires the item to exist, which fails only if something went wrong.
        // With digest, the server may ask for a new answer at any time.
        let mayRefuse =
            !authenticator.isConfirmed || (authenticator.answersDigest && !request.body.isReplayable)
            || request.headers["If-Match"] ?? "*" != "*"
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
