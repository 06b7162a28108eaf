import FileProviding
import Foundation

/// What goes with a request to prove who is asking, and what to do when the server wants something else.
///
/// A password goes as basic authentication from the first request on, so that no request is wasted; but over plain HTTP to
/// another machine only after the server said that it does not take digest. What the server wants is remembered.
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
        var scheme: Scheme?
        var isConfirmed = false
        var refresh: Task<OAuth2Token, any Error>?
        var rejectedRefreshToken: String?
    }

    private let origin: Origin?
    private let state: Locked<State>
    private let now: @Sendable () -> Date
    private let didChange: (@Sendable (Credential) -> Void)?

    init(
        origin: Origin?, credential: Credential?, now: @escaping @Sendable () -> Date,
        didChange: (@Sendable (Credential) -> Void)?
    ) {
        self.origin = origin
        self.now = now
        self.didChange = didChange
        state = Locked(State(credential: credential))
    }

    var credential: Credential? {
        get { state.withLock { $0.credential } }
        set { state.withLock { $0 = State(credential: newValue) } }
    }

    /// Whether the server took the credential at least once.
    var isConfirmed: Bool { state.withLock { $0.isConfirmed } }

    func confirm() { state.withLock { $0.isConfirmed = true } }

    func isForOrigin(_ url: URL) -> Bool { origin != nil && Origin(url) == origin }

    /// What goes with a request, renewing a token that is about to end.
    func authorization(
        for request: HTTPRequest, renew: @escaping @Sendable (OAuth2Token) async throws -> OAuth2Token
    ) async throws -> Authorization {
        guard request.sendsCredential, isForOrigin(request.url) else { return .none }
        let (credential, scheme) = state.withLock { ($0.credential, $0.scheme) }
        switch credential {
        case nil: return .none
        case .password(let user, let password):
            if scheme == .digest { return .digest(DigestLogin(user: user, password: password)) }
            guard scheme == .basic || origin?.isPrivate == true else { return .none }
            return .field("Basic " + Data("\(user):\(password)".utf8).base64EncodedString())
        case .bearer(let token): return .field("Bearer " + token)
        case .oauth2(let token):
            guard let expiry = token.expiry, token.isRenewable, expiry < now() + 60 else {
                return .field("Bearer " + token.accessToken)
            }
            do {
                return .field("Bearer " + (try await renewed(token, renew).accessToken))
            } catch where expiry > now() && !isRefusal(error) {
                return .field("Bearer " + token.accessToken)
            }
        }
    }

    /// Takes note of a 401. Returns whether the request may succeed now.
    func answer(
        _ response: HTTPResponse, to sent: Authorization,
        renew: @escaping @Sendable (OAuth2Token) async throws -> OAuth2Token
    ) async throws -> Bool {
        guard isForOrigin(response.url), let credential else { return false }
        switch (credential, sent) {
        case (.password, .none), (.password, .field):
            let offered = Challenge.schemes(in: response.headers)
            let next: Scheme? = offered.contains("digest") ? .digest : offered.contains("basic") ? .basic : nil
            if next == .basic, case .field = sent { return false }
            guard let next else { return false }
            state.withLock { $0.scheme = next }
            return true
        case (.oauth2(let token), .field(let field)):
            if field != "Bearer " + token.accessToken { return true }  // Renewed since.
            guard token.isRenewable else { return false }
            _ = try await renewed(token, renew)
            return true
        default: return false
        }
    }

    /// The successor of a token, fetched once for all who ask at the same time.
    private func renewed(
        _ token: OAuth2Token, _ renew: @escaping @Sendable (OAuth2Token) async throws -> OAuth2Token
    ) async throws -> OAuth2Token {
        let task = try state.withLock { state -> Task<OAuth2Token, any Error> in
            if case .oauth2(let current) = state.credential, current.accessToken != token.accessToken {
                return Task { current }
            }
            if let task = state.refresh { return task }
            guard token.refreshToken != state.rejectedRefreshToken else { throw tokenRefused(token.tokenEndpoint) }
            // It outlives the task that asked first: the others wait for it too.
            let task = Task { try await self.renewing(token, renew) }
            state.refresh = task
            return task
        }
        return try await task.value
    }

    private func renewing(
        _ token: OAuth2Token, _ renew: @Sendable (OAuth2Token) async throws -> OAuth2Token
    ) async throws -> OAuth2Token {
        do {
            let successor = try await renew(token)
            let isCurrent = state.withLock { state in
                guard case .oauth2(token) = state.credential else { return false }
                state.refresh = nil
                state.credential = .oauth2(successor)
                return true
            }
            if isCurrent { didChange?(.oauth2(successor)) }
            return successor
        } catch {
            let refused = isRefusal(error)
            state.withLock { state in
                guard case .oauth2(token) = state.credential else { return }
                state.refresh = nil
                if refused { state.rejectedRefreshToken = token.refreshToken }
            }
            throw error
        }
    }
}

extension OAuth2Token {
    var isRenewable: Bool { refreshToken != nil && tokenEndpoint != nil }
}

/// The server has done with the token: only the person can help.
func tokenRefused(_ endpoint: URL?) -> URLError {
    urlError(endpoint, code: .userAuthenticationRequired, reason: "sign in again: the access has ended")
}

private func isRefusal(_ error: any Error) -> Bool {
    (error as? URLError)?.code == .userAuthenticationRequired
}
