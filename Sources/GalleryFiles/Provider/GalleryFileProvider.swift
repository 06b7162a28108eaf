import FileProviding
import Foundation
import HTTPFiles

/// Images served by the gallery API, for listing and reading.
///
/// `GET {base}/api/image/{category}` gives a flat list of every image in a category and below it, as `[{"name", "path",
/// "width"?, "height"?}]`, and `GET {base}/file/{path}` an image. Here categories are directories, derived from the
/// images' paths while the list arrives; a category without an image does not exist. An entry of a listing has its
/// width and height (`FileAttributeKey.imageWidth`); size, time and tag are only available by looking up the item,
/// because only the reply to the image itself has them.
///
/// Everything that would change the gallery is refused before a byte is sent.
public struct GalleryFileProvider: HTTPFileProvider, ReadOnlyFileProvider, ConfigurableFileProvider {
    /// `"Gallery"`.
    public static let type = "Gallery"

    /// `gallery+http` for plain HTTP, `gallery+https` for TLS.
    public static let schemes = ["gallery+http", "gallery+https"]

    /// The configuration that this provider was created from.
    public let configuration: GalleryConfiguration
    /// The connections, shared with copies.
    public let session: HTTPSession
    /// The delegates and registrations of this instance.
    public let context = FileProviderContext()
    let address: GalleryAddress

    /// Creates a provider that connects when it is first used.
    ///
    /// - Throws: `URLError(.unsupportedURL)` when the URL is not HTTP; `URLError(.badURL)` when it holds a user, a
    ///   password, a query or a fragment.
    public init(configuration: GalleryConfiguration, credential: Credential?) throws {
        let session = HTTPSession(
            origin: configuration.url, configuration: configuration.http, credential: credential)
        try self.init(configuration: configuration, session: session)
    }

    /// Creates a provider over an existing session: one with a password for its proxy, or a cache that it shares.
    /// Throws as ``init(configuration:credential:)``.
    public init(configuration: GalleryConfiguration, session: HTTPSession) throws {
        self.configuration = configuration
        address = try GalleryAddress(configuration.url)
        self.session = session
    }

    private init(copying other: GalleryFileProvider) {
        configuration = other.configuration
        address = other.address
        session = other.session
    }

    /// Returns a provider of the same gallery and connections, with its own delegates.
    public func copy() -> GalleryFileProvider { GalleryFileProvider(copying: self) }

    /// The base of the images, so that `url(of:)` is an image's own URL.
    public var baseURL: URL? { address.files }

    /// Host, port, account and the gallery's path on the server.
    public var identity: ProviderIdentity {
        let url = configuration.url
        let root = try? ItemPath(percentEncoded: url.path(percentEncoded: true))
        return ProviderIdentity(
            type: Self.type, authority: url.authority, root: root ?? .root,
            account: session.account(named: configuration.user))
    }

    /// Splits `gallery+https://[user@]host[:port]/category`: the gallery is the server's, the path a category or an
    /// image in it.
    public static func configuration(for url: URL) throws -> (configuration: GalleryConfiguration, path: ItemPath) {
        guard url.password() == nil else {
            throw urlError(url, code: .badURL, reason: "a password does not belong in a URL")
        }
        guard let host = url.host(), !host.isEmpty, url.query() == nil, url.fragment() == nil else {
            throw urlError(url, code: .badURL, reason: "expected gallery+https://host/category")
        }
        let scheme = url.scheme?.lowercased() == "gallery+https" ? "https" : "http"
        guard let root = url.onServer(scheme) else { throw urlError(url, code: .badURL) }
        let path = try ItemPath(percentEncoded: url.path(percentEncoded: true))
        return (GalleryConfiguration(url: root, user: url.user(percentEncoded: false)), path)
    }
}
