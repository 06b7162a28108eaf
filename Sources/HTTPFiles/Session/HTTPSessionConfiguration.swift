import FileProviding
import Foundation

/// The settings by which a session reaches its server. They hold no secret, so that they can be stored as text.
public struct HTTPSessionConfiguration: Sendable, Hashable, Codable {
    /// How long to wait for the server.
    public var deadlines = HTTPDeadlines()
    /// How much of a reply to accept.
    public var limits = HTTPLimits()
    /// The proxy for all requests, `http`, `https`, `socks5` or `socks5h`; `nil` for none. The environment's proxy
    /// settings are ignored. A password in the URL is used, but is stored with it as text; a session's
    /// `proxyCredential` is not.
    public var proxy: URL?
    /// The hosts, domains and networks (such as `127.0.0.0/8`) that are reached without the proxy; `*` for all.
    public var proxyExceptions: [String] = []
    /// A file of CA certificates (PEM) that are trusted in addition to the system's.
    public var certificateAuthorities: LocalPath?
    /// The certificates that a user has decided to trust, by host in lower case: the SHA-256 of the certificate (DER)
    /// as 64 hexadecimal digits. A listed host is accepted with one of its listed certificates and no other.
    public var pinnedCertificates: [String: Set<String>] = [:]
    /// The client's own certificate and key (PEM), shown to the session's origin and to no other.
    public var clientCertificate: ClientCertificate?
    /// The `User-Agent` of the requests.
    public var userAgent = "swift-file-providers"
    /// Header fields sent with each request to the session's origin, and to no other.
    public var extraHeaders = HTTPHeaders()
    /// The most connections to one host at once, 1 to 1,000; further requests wait. Uploads whose bytes a task reads
    /// while they are sent, perhaps from the same host, have a separate quota of the same size, and so have the few
    /// requests whose answer is needed before the body of another reply is read.
    public var maximumConnections = 16
    /// The versions of HTTP to use. With HTTP/2 all requests share one connection: fewer handshakes, but large uploads
    /// take twice the time with libcurl 7.
    public var protocolVersion = HTTPProtocolVersion.http1
    /// Whether redirections are followed.
    public var followsRedirects = true
    /// Which requests are repeated, and when.
    public var retry = RetryPolicy()
    /// Whether complete replies to GET are kept and reused, whether they are read as a whole or streamed.
    public var cachePolicy = HTTPCachePolicy.none

    /// Creates a configuration with the defaults.
    public init() {}

    /// Decodes the keys that are present; the others have their defaults.
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

/// A certificate that identifies the client to the server, with its key.
public struct ClientCertificate: Sendable, Hashable, Codable {
    /// The certificate's file (PEM).
    public var certificate: LocalPath
    /// The key's file (PEM, not encrypted).
    public var key: LocalPath

    /// Creates a pair of a certificate and its key.
    public init(certificate: LocalPath, key: LocalPath) {
        self.certificate = certificate
        self.key = key
    }
}

/// The versions of HTTP to use.
public enum HTTPProtocolVersion: String, Sendable, Hashable, Codable {
    /// HTTP/1.1, over as many connections as there are concurrent requests: fastest for file transfer.
    case http1
    /// HTTP/2 where a TLS server offers it: fewer connections, for servers where each one is slow to open.
    case http2
}

/// When a kept reply is used as the answer to a request.
public enum HTTPCachePolicy: String, Sendable, Hashable, Codable {
    /// Never; nothing is kept.
    case none
    /// After the server confirmed that it is up to date (`useCache` and `validatingCache`).
    case validated
    /// Always (`useCache` without `validatingCache`): may be out of date.
    case unvalidated
}
