import Foundation

/// One request as the transport sends it, after redirections, retries and credentials have been applied.
struct WireRequest: Sendable {
    var method: HTTPMethod
    var url: URL
    /// The URL's origin, by which transfers to one host share its connections.
    var origin: Origin?
    var headers: HTTPHeaders
    var deadlines: HTTPDeadlines
    var limits: HTTPLimits
    var acceptsCompression = false
    /// Whether logs show only the origin of the URL.
    var hidesURL = false
    /// Whether libcurl may send the request again when a kept connection turns out to be closed.
    var isSafeToRepeat: Bool
    /// Whether the body waits for the server's `100 Continue`.
    var awaitsContinue = false
    /// Whether the request uses a connection that nothing else uses, before or after.
    var isAlone = false
    /// Whether the body of another reply waits for this one.
    var isBesideReply = false
    /// The user and password that libcurl answers a digest challenge with.
    var digest: DigestLogin?
    /// The servers to trust.
    var trust = ServerTrust.authorities
}

/// A user and password for digest authentication.
struct DigestLogin: Sendable {
    var user: String
    var password: String
}

/// The servers that a TLS connection is accepted from. Decided in the handshake, before a byte of the request is sent.
enum ServerTrust: Sendable, Hashable {
    /// Servers with a certificate for this host, signed by a known authority.
    case authorities
    /// Servers with one of these keys, given as the SHA-256 of the public key in Base64.
    case keys([String])
    /// Any server: only to inspect its certificate. No request is sent.
    case inspection
}
