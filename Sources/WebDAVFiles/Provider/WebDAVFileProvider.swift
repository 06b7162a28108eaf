import FileProviding
import Foundation
import HTTPFiles

/// Files on a WebDAV server (RFC 4918).
///
/// Writes are conditional if nothing may be replaced, and go through a temporary name and MOVE on servers whose own PUT
/// is not atomic. Which servers those are is described by one small value, the server family, determined by one OPTIONS
/// request before the first change. Listing a directory takes one request, or one for each page of the server's
/// listing, and entries appear while the replies arrive.
public struct WebDAVFileProvider: HTTPFileProvider, ConfigurableFileProvider {
    /// `"WebDAV"`.
    public static let type = "WebDAV"

    /// `dav` for plain HTTP, `davs` for TLS.
    public static let schemes = ["dav", "davs"]

    /// The configuration that this provider was created from.
    public var configuration: WebDAVConfiguration { server.configuration }
    /// The connections, shared with copies.
    public let session: HTTPSession
    /// The delegates and registrations of this instance.
    public let context = FileProviderContext()
    let server: ServerKnowledge

    /// Creates a provider that connects when it is first used.
    ///
    /// - Throws: `URLError(.unsupportedURL)` when the URL is not HTTP; `URLError(.badURL)` when it holds a user or a
    ///   password.
    public init(configuration: WebDAVConfiguration, credential: Credential?) throws {
        let session = HTTPSession(
            origin: configuration.url, configuration: configuration.http, credential: credential)
        try self.init(configuration: configuration, session: session)
    }

    /// Creates a provider over an existing session: one with a password for its proxy, or a cache that it shares.
    /// Throws as ``init(configuration:credential:)``.
    public init(configuration: WebDAVConfiguration, session: HTTPSession) throws {
        let url = configuration.url
        guard ["http", "https"].contains(url.scheme?.lowercased()), url.host() != nil else {
            throw urlError(url, code: .unsupportedURL, reason: "WebDAV needs http or https and a host")
        }
        guard url.user() == nil, url.password() == nil else {
            throw urlError(url, code: .badURL, reason: "user and password do not belong in a URL")
        }
        self.session = session
        server = ServerKnowledge(configuration)
    }

    private init(copying other: WebDAVFileProvider) {
        session = other.session
        server = other.server
    }

    /// Creates a provider of another root on the same server, over the same session.
    init(_ other: WebDAVFileProvider, at url: URL) {
        var configuration = other.configuration
        configuration.url = url
        session = other.session
        server = ServerKnowledge(configuration)
    }

    /// Returns a provider of the same server and session with the same knowledge of the server, and with its own
    /// delegates.
    public func copy() -> WebDAVFileProvider { WebDAVFileProvider(copying: self) }

    /// The root collection: the configured one or, if the URL is that of a whole cloud, the account's files, once the
    /// cloud was asked.
    public var baseURL: URL? { server.root }

    /// The host, port, account and the root's path on the server. On a cloud, the path where the account's files begin
    /// is part of the authority, since one item has several paths on such a server.
    public var identity: ProviderIdentity {
        var identity = server.identity
        identity.account = session.account(named: configuration.user)
        return identity
    }

    /// Splits `dav://[user@]host[:port]/path`: the provider's root is the server's, the path all of the URL's.
    ///
    /// With a cloud's address, such as `davs://host/remote.php/dav/files/USER/path`, the root is where the account's
    /// files begin.
    public static func configuration(for url: URL) throws -> (configuration: WebDAVConfiguration, path: ItemPath) {
        guard url.password() == nil else {
            throw urlError(url, code: .badURL, reason: "a password does not belong in a URL")
        }
        guard let host = url.host(), !host.isEmpty, url.query() == nil, url.fragment() == nil else {
            throw urlError(url, code: .badURL, reason: "expected dav://host/path")
        }
        let address = CloudAddress(url)
        let scheme = url.scheme?.lowercased() == "davs" ? "https" : "http"
        guard let root = url.onServer(scheme, path: address?.root ?? "/") else { throw urlError(url, code: .badURL) }
        let whole = url.path(percentEncoded: true)
        var path = try address?.path ?? ItemPath(percentEncoded: whole)
        if whole.hasSuffix("/"), !path.isRoot { path = path.asDirectory }
        return (WebDAVConfiguration(url: root, user: url.user(percentEncoded: false)), path)
    }
}
