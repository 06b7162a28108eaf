import FileProviding
import Foundation

/// How a session reaches its server. Holds no secret, so that it can be stored as text.
public struct HTTPSessionConfiguration: Sendable, Hashable, Codable {
    /// How long to wait.
    public var deadlines = HTTPDeadlines()
    /// How much to accept.
    public var limits = HTTPLimits()
    /// The proxy for all requests, `http`, `https`, `socks5` or `socks5h`, without password; `nil` for none. The
    /// environment's proxies are not looked at.
    public var proxy: URL?
    /// Hosts and domains reached without the proxy.
    public var proxyExceptions: [String] = []
    /// A file of CA certificates (PEM), trusted beside the system's.
    public var certificateAuthorities: LocalPath?
    /// Certificates that a person decided to trust, by host in lower case: the SHA-256 of the certificate (DER) as 64
    /// hexadecimal digits. A host that is listed is reached with one of these certificates and no other.
    public var pinnedCertificates: [String: Set<String>] = [:]
    /// The client's own certificate and key (PEM).
    public var clientCertificate: ClientCertificate?
    /// What the client calls itself.
    public var userAgent = "swift-file-providers"
    /// Sent with each request to the session's origin, and to no other.
    public var extraHeaders = HTTPHeaders()
    /// Connections to one host at once; further requests wait their turn. Uploads of what a task reads meanwhile,
    /// perhaps from the same host, have as many beside those. From 1 to 1,000.
    public var maximumConnections = 16
    /// Which versions of HTTP to speak. By HTTP/2 all requests share one connection: fewer handshakes, but large uploads take
    /// twice the time with libcurl 7.
    public var protocolVersion = HTTPProtocolVersion.http1
    /// Whether redirections are followed.
    public var followsRedirects = true
    /// What is repeated, and when.
    public var retry = RetryPolicy()
    /// Whether whole replies to GET are kept and reused, read or streamed.
    public var cachePolicy = HTTPCachePolicy.none

    /// The defaults above.
    public init() {}

    /// Decodes what is there; the rest has its default.
    public init(from decoder: any Decoder) throws {
        self.init()
        let stored = try decoder.container(keyedBy: CodingKeys.self)
        try stored.decode(.deadlines, into: &deadlines)
        try stored.decode(.limits, into: &limits)
        try stored.decode(.proxy, into: &proxy)
        try stored.decode(.proxyExceptions, into: &proxyExceptions)
        try stored.decode(.certificateAuthorities, into: &certificateAuthorities)
        try stored.decode(.pinnedCertificates, into: &pinnedCertificates)
        try stored.decode(.clientCertificate, into: &clientCertificate)
        try stored.decode(.userAgent, into: &userAgent)
        try stored.decode(.extraHeaders, into: &extraHeaders)
        try stored.decode(.maximumConnections, into: &maximumConnections)
        try stored.decode(.protocolVersion, into: &protocolVersion)
        try stored.decode(.followsRedirects, into: &followsRedirects)
        try stored.decode(.retry, into: &retry)
        try stored.decode(.cachePolicy, into: &cachePolicy)
    }
}

/// A certificate that tells the server who the client is, with its key.
public struct ClientCertificate: Sendable, Hashable, Codable {
    /// The certificate's file (PEM).
    public var certificate: LocalPath
    /// The key's file (PEM, not encrypted).
    public var key: LocalPath

    /// A certificate and its key.
    public init(certificate: LocalPath, key: LocalPath) {
        self.certificate = certificate
        self.key = key
    }
}

/// Which versions of HTTP to speak.
public enum HTTPProtocolVersion: String, Sendable, Hashable, Codable {
    /// HTTP/1.1, over as many connections as there are requests at once: fastest for file transfer.
    case http1
    /// HTTP/2 where a TLS server offers it: fewer connections where each one is slow to open.
    case http2
}

/// When a kept reply answers a request.
public enum HTTPCachePolicy: String, Sendable, Hashable, Codable {
    /// Never; nothing is kept.
    case none
    /// After the server confirmed that it is current (`useCache` and `validatingCache`).
    case validated
    /// Always (`useCache` without `validatingCache`): may be out of date.
    case unvalidated
}
