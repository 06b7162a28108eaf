import Crypto
import Foundation

/// A proof of identity. It never shows in a description, a log or an error.
public enum Credential: Hashable, Sendable {
    /// A user name and a password, for basic and digest authentication.
    case password(user: String, password: String)
    /// A bearer token (RFC 6750).
    case bearer(token: String)
    /// An OAuth 2 access token with the means to renew it (RFC 6749, section 6).
    case oauth2(OAuth2Token)

    /// The user's name, where the credential has one.
    public var user: String? {
        if case .password(let user, _) = self { user } else { nil }
    }

    /// What distinguishes the account from others in a ``ProviderIdentity``: the user's name or, since nobody can tell
    /// whose a token is, a digest of it.
    public var account: String {
        let token: String
        switch self {
        case .password(let user, _): return user
        case .bearer(let bearer): token = bearer
        case .oauth2(let oauth): token = oauth.refreshToken ?? oauth.accessToken
        }
        return Self.tokenMark + Checksum.hexadecimal(Array(SHA256.hash(data: Data(token.utf8)).prefix(8)))
    }

    /// What accounts begin with that are known by a token only.
    package static let tokenMark = "token "
}

/// An OAuth 2 access token and how to renew it.
public struct OAuth2Token: Hashable, Sendable, Codable {
    /// The bearer token sent with each request.
    public var accessToken: String
    /// The token that the next access token is requested with, if the server gave one.
    public var refreshToken: String?
    /// When the access token expires, if known; it is renewed shortly before.
    public var expiry: Date?
    /// Where to renew it: an HTTPS URL, or HTTP on loopback.
    public var tokenEndpoint: URL?
    /// The application's identifier at the server.
    public var clientID: String?
    /// The application's secret, if it has one.
    public var clientSecret: String?

    /// Creates a token as a server granted it.
    public init(
        accessToken: String, refreshToken: String? = nil, expiry: Date? = nil, tokenEndpoint: URL? = nil,
        clientID: String? = nil, clientSecret: String? = nil
    ) {
        self.accessToken = accessToken
        self.refreshToken = refreshToken
        self.expiry = expiry
        self.tokenEndpoint = tokenEndpoint
        self.clientID = clientID
        self.clientSecret = clientSecret
    }
}

extension Credential: Codable {}

extension Credential: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The kind of credential, without its secret.
    public var description: String {
        switch self {
        case .password: "Credential.password(…)"
        case .bearer: "Credential.bearer(…)"
        case .oauth2: "Credential.oauth2(…)"
        }
    }

    /// The same as ``description``.
    public var debugDescription: String { description }

    /// An empty mirror, so that a dump shows no secret.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}

extension OAuth2Token: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// A text that says only that it is a token.
    public var description: String { "OAuth2Token(…)" }

    /// The same as ``description``.
    public var debugDescription: String { description }

    /// An empty mirror, so that a dump shows no secret.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
