import FileProviding
import Foundation

/// The authorization of requests, and the reaction when the server demands another.
///
/// A password is sent as basic authentication from the first request on, so that no request is wasted; but over plain
/// HTTP to another machine, only after the server has indicated that it does not accept digest. The server's demand is
/// remembered. A token has no such alternative: it is sent only where nobody can eavesdrop.
final class Authenticator: Sendable {
    /// What accompanies a request.
    enum Authorization: Sendable {
        case none
        /// The value of the `Authorization` field.
        case field(String)
        /// libcurl answers the server's challenge.
        case digest(DigestLogin)
    }

    private enum Scheme { case basic, digest }

    private struct State {
        var credential: Credential?
        /// The account of the credential, which stays the same when a token is renewed.
        var account: String?
        var scheme: Scheme?
        /// What the server calls the part of it that has asked last (RFC 7616, section 3.3).
        var realm: String?
        var isConfirmed = false
        var renewal: SharedResult<OAuth2Token>?
        var rejectedRefreshToken: String?
    }

    private let origin: Origin?
    private let state: Locked<State>
    private let now: @Sendable () -> Date
    private let listener = Locked<(@Sendable (Credential) -> Void)?>(nil)

    init(origin: Origin?, credential: Credential?, now: @escaping @Sendable () -> Date) {
        self.origin = origin
        self.now = now
        state = Locked(State(credential: credential, account: credential?.account))
    }

    /// Called with a renewed token.
    var didChange: (@Sendable (Credential) -> Void)? {
        get { listener.withLock { $0 } }
        set { listener.withLock { $0 = newValue } }
    }

    var credential: Credential? {
        get { state.withLock { $0.credential } }
        set { state.withLock { $0 = State(credential: newValue, account: newValue?.account) } }
    }

    var account: String? { state.withLock { $0.account } }

    /// Whether the server has accepted at least one request, with the credential or without one.
    var isConfirmed: Bool { state.withLock { $0.isConfirmed } }

    /// Whether the server asks for digest authentication.
    var answersDigest: Bool { state.withLock { $0.scheme == .digest } }

    func confirm() { state.withLock { $0.isConfirmed = true } }

    /// Returns whether a 401 from this origin can be answered.
    func canAnswer(_ origin: Origin?) -> Bool { credential != nil && isFor(origin) }

    /// Returns whether the credential may be sent to this origin.
    func isFor(_ origin: Origin?) -> Bool { self.origin != nil && origin == self.origin }

    /// Whether a password is held back until the server asks for one.
    var awaitsChallenge: Bool {
        state.withLock { state in
            guard case .password? = state.credential else { return false }
            return state.scheme == nil && origin?.isPrivate != true
        }
    }

    /// Returns the authorization of a request, and renews a token that is about to expire.
    ///
    /// - Throws: `URLError(.appTransportSecurityRequiresSecureConnection)` for a token that others could intercept.
    func authorization(
        for request: HTTPRequest, to origin: Origin?,
        renew: @escaping @Sendable (OAuth2Token) async throws -> OAuth2Token
    ) async throws -> Authorization {
        guard request.sendsCredential, isFor(origin) else { return .none }
        let (credential, scheme) = state.withLock { ($0.credential, $0.scheme) }
        switch credential {
        case nil: return .none
        case .password(let user, let password):
            if scheme == .digest { return .digest(DigestLogin(user: user, password: password)) }
            guard scheme == .basic || origin?.isPrivate == true else { return .none }
            return .field("Basic " + Data("\(user):\(password)".utf8).base64EncodedString())
        case .bearer? where origin?.isPrivate != true, .oauth2? where origin?.isPrivate != true:
            throw urlError(
                request.url, code: .appTransportSecurityRequiresSecureConnection,
                reason: "tokens are sent over HTTPS only")
        case .bearer(let token): return .field("Bearer " + token)
        case .oauth2(let token):
            guard let expiry = token.expiry, token.isRenewable, expiry < now() + 60 else {
                return .field("Bearer " + token.accessToken)
            }
            do {
                return .field("Bearer " + (try await renewed(token, renew).accessToken))
            } catch let error where expiry > now() && !isRefusal(error) {
                return .field("Bearer " + token.accessToken)
            }
        }
    }

    /// Processes a 401. Returns whether the request may succeed now.
    ///
    /// - Parameter isFirst: whether the request has not been refused before.
    func answer(
        _ response: HTTPResponse, to sent: Authorization, isFirst: Bool,
        renew: @escaping @Sendable (OAuth2Token) async throws -> OAuth2Token
    ) async throws -> Bool {
        guard isFor(Origin(response.url)), let credential else { return false }
        switch (credential, sent) {
        case (.password, .none), (.password, .field):
            let offered = Challenge.schemes(in: response.headers)
            let next: Scheme? = offered.contains("digest") ? .digest : offered.contains("basic") ? .basic : nil
            if next == .basic, case .field = sent { return false }
            guard let next else { return false }
            state.withLock { state in
                state.scheme = next
                state.realm = Challenge.digestRealm(in: response.headers)
            }
            return true
        case (.oauth2(let token), .field(let field)):
            if field != "Bearer " + token.accessToken { return true }  // Renewed since.
            guard token.isRenewable else { return false }
            _ = try await renewed(token, renew)
            return true
        case (.password, .digest):
            // A server that has forgotten its challenges need not say so (`stale`); libcurl answers the new one.
            guard Challenge.schemes(in: response.headers).contains("digest") else { return false }
            let realm = Challenge.digestRealm(in: response.headers)
            return state.withLock { state in
                // What another part of the server has asked was answered.
                defer { state.realm = realm }
                if isFirst, realm != state.realm { return true }
                // Refused twice, it is wrong, and is not tried twice again: that locks accounts.
                if !isFirst { state.isConfirmed = false }
                return isFirst && state.isConfirmed
            }
        default: return false
        }
    }

    /// Returns the successor of a token, fetched once for all who request it at the same time.
    private func renewed(
        _ token: OAuth2Token, _ renew: @escaping @Sendable (OAuth2Token) async throws -> OAuth2Token
    ) async throws -> OAuth2Token {
        let (renewal, isFirst) = try state.withLock { state -> (SharedResult<OAuth2Token>, Bool) in
            if let renewal = state.renewal { return (renewal, false) }
            let renewal = SharedResult<OAuth2Token>()
            guard case .oauth2(token) = state.credential else {
                // The credential was renewed or replaced in the meantime.
                let current = if case .oauth2(let current) = state.credential { current } else { token }
                renewal.finish(.success(current))
                return (renewal, false)
            }
            guard token.refreshToken != state.rejectedRefreshToken else { throw tokenRefused(token.tokenEndpoint) }
            state.renewal = renewal
            return (renewal, true)
        }
        if isFirst {
            // In a separate task: the others wait for it too, even if the one that asked first is cancelled.
            Task { renewal.finish(await self.renewing(token, renew)) }
        }
        return try await renewal.value()
    }

    private func renewing(
        _ token: OAuth2Token, _ renew: @Sendable (OAuth2Token) async throws -> OAuth2Token
    ) async -> Result<OAuth2Token, any Error> {
        do {
            let successor = try await renew(token)
            let isCurrent = state.withLock { state in
                guard state.credential == .oauth2(token) else { return false }
                state.renewal = nil
                state.credential = .oauth2(successor)
                return true
            }
            if isCurrent { didChange?(.oauth2(successor)) }
            return .success(successor)
        } catch {
            state.withLock { state in
                guard state.credential == .oauth2(token) else { return }
                state.renewal = nil
                if isRefusal(error) { state.rejectedRefreshToken = token.refreshToken }
            }
            return .failure(error)
        }
    }
}

extension OAuth2Token {
    var isRenewable: Bool { refreshToken != nil && tokenEndpoint != nil }
}

/// Returns the error for a token that the server no longer accepts: only the user can help.
func tokenRefused(_ endpoint: URL?) -> URLError {
    urlError(endpoint, code: .userAuthenticationRequired, reason: "sign in again: the access has ended")
}

private func isRefusal(_ error: any Error) -> Bool {
    (error as? URLError)?.code == .userAuthenticationRequired
}
