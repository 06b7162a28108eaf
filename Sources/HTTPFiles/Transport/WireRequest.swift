import Foundation

/// One request as the transport sends it: what redirections, retries and credentials ask for is already in it.
struct WireRequest: Sendable {
    var method: HTTPMethod
    var url: URL
    /// The URL's origin, by which transfers to one host share its connections.
    var origin: Origin?
    var headers: HTTPHeaders
    var deadlines: HTTPDeadlines
    var limits: HTTPLimits
    var acceptsCompression = false
    /// Whether logs show no more of the URL than its origin.
    var hidesURL = false
    /// Whether libcurl may send the request anew when a kept connection turns out to be closed.
    var isSafeToRepeat: Bool
    /// Whether the body waits for the server's `100 Continue`.
    var awaitsContinue = false
    /// Whether it goes over a connection that nothing else uses, before or after.
    var isAlone = false
    /// What libcurl answers a digest challenge with.
    var digest: DigestLogin?
    /// Which servers to talk to.
    var trust = ServerTrust.authorities
}

/// A user and password for digest authentication.
struct DigestLogin: Sendable {
    var user: String
    var password: String
}

/// Which servers a TLS connection is accepted from. Decided in the handshake, before a byte of the request is sent.
enum ServerTrust: Sendable, Hashable {
    /// Those whose certificate a known authority signed, and that names the host.
    case authorities
    /// Those that have one of these keys, given as the SHA-256 of the public key in Base64.
    case keys([String])
    /// Anyone: only to look at the certificate. No request is sent.
    case inspection
}
