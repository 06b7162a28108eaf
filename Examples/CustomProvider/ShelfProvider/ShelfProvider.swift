import FileProviding
import Foundation
import HTTPFiles

/// Files behind the Shelf API of `Examples/README.md`: a complete provider, to be read from top to bottom.
///
/// A provider over HTTP defines where it is, what its requests look like, and how replies are read. The rest, from
/// ranges and retries to search and callbacks, follows from `HTTPFileProvider`.
public struct ShelfProvider: HTTPFileProvider, ConfigurableFileProvider {
    /// The kind's name, for display and for stored lists of providers.
    public static let type = "Shelf"
    /// `shelf://host:port/path`.
    public static let schemes = ["shelf"]
    /// The configuration that the provider is created from: the server's root. Any `Codable` value would do, but never
    /// a secret.
    public let configuration: URL
    /// The connections, which copies share.
    public let session: HTTPSession
    /// The delegates and queues, which copies do not share.
    public let context = FileProviderContext()

    /// Creates a provider that connects when it is first used.
    public init(configuration: URL, credential: Credential?) {
        self.configuration = configuration
        session = HTTPSession(origin: configuration, credential: credential)
    }

    init(configuration: URL, session: HTTPSession) { (self.configuration, self.session) = (configuration, session) }

    /// Returns a provider of the same server and connections, with its own delegates.
    public func copy() -> ShelfProvider { ShelfProvider(configuration: configuration, session: session) }

    /// The root's URL; `url(of:)` appends percent-encoded paths to it.
    public var baseURL: URL? { configuration }

    /// The identity of the storage: copies between providers of the same one stay on the server.
    public var identity: ProviderIdentity {
        ProviderIdentity(type: Self.type, authority: configuration.absoluteString, account: session.account())
    }

    /// Splits `shelf://host:port/path` into an HTTP server's root and a path on it.
    public static func configuration(for url: URL) throws -> (configuration: URL, path: ItemPath) {
        var root = URLComponents()
        (root.scheme, root.encodedHost, root.port, root.path) = ("http", url.host(), url.port, "/")
        guard let root = root.url, url.host() != nil, url.password() == nil, url.query() == nil else {
            throw urlError(url, code: .badURL, reason: "expected shelf://host:port/path")
        }
        return (root, try ItemPath(percentEncoded: url.path(percentEncoded: true)))
    }

    /// Returns what the server supports beyond the minimum: setting modification times, to the second.
    public func characteristics(path: ItemPath) async throws -> ProviderCharacteristics {
        var characteristics = ProviderCharacteristics()
        characteristics.settableTimePrecision = 1_000_000_000
        return characteristics
    }

    /// Returns one request for each operation; the base adds ranges and bodies, the session adds authorization.
    public func request(
        for operation: FileOperationType, overwrite: Bool, attributes: ItemAttributes
    ) throws -> HTTPRequest {
        let headers = headers(overwrite: overwrite, attributes)
        switch operation {
        case .fetch(let path): return HTTPRequest(.get, url(of: path))
        case .modify(let path): return HTTPRequest(.put, url(of: path), headers: headers)
        case .remove(let path): return HTTPRequest(.delete, url(of: path))
        case .create(let path): return HTTPRequest(.post, url(path, "folder"))
        case .copy(let path, let to): return HTTPRequest(.post, url(path, "copy", to.percentEncoded), headers: headers)
        case .move(let path, let to): return HTTPRequest(.post, url(path, "move", to.percentEncoded), headers: headers)
        case .link, .upload, .download: throw FileError.unsupported(operation.source, "a shelf has no links")
        }
    }

    /// Returns `true`: the server compares `If-Match` for every method.
    public func honorsIfMatch(for operation: FileOperationType) -> Bool { true }

    /// Returns `GET /path?item`.
    public func attributesRequest(path: ItemPath) -> HTTPRequest { HTTPRequest(.get, url(path, "item")) }

    /// Returns `GET /path?page`, then `GET /path?page=TOKEN`.
    public func pageRequest(path: ItemPath, token: String?) -> HTTPRequest {
        HTTPRequest(.get, url(path, "page", token))
    }

    func headers(overwrite: Bool, _ attributes: ItemAttributes) -> HTTPHeaders {
        var headers: HTTPHeaders = overwrite ? [:] : ["If-None-Match": "*"]
        headers["Shelf-Modified"] = attributes.modificationTime.map { "\($0.seconds)" }
        return headers
    }

    func url(_ path: ItemPath, _ query: String, _ value: String? = nil) -> URL {
        url(of: path).appendingQuery(query, value)
    }

    /// Decodes an item's JSON.
    public func attributes(of path: ItemPath, response: HTTPResponse, data: Data) throws -> FileObject {
        try JSONDecoder().decode(ShelfItem.self, from: data).file(at: path)
    }

    /// Returns a decoder of a page's JSON.
    public func pageDecoder(path: ItemPath) -> any HTTPPageDecoder {
        HTTPWholePageDecoder { data in
            let page = try JSONDecoder().decode(ShelfPage.self, from: data)
            return (page.items.map { $0.file(at: path.appending($0.name)) }, page.next)
        }
    }

    /// Decodes a refusal's JSON.
    public func serverError(with status: Int, path: String, data: Data?) -> any FileProviderHTTPError {
        ShelfError(statusCode: status, path: path, data: data)
    }
}

/// `{"name": "a.txt", "type": "regular", "size": 12, "modified": 1700000000, "etag": "\"5f\""}`.
private struct ShelfItem: Decodable {
    let name: ItemName
    let type: FileObjectType
    let size, modified: Int64?
    let etag: ETag

    func file(at path: ItemPath) -> FileObject {
        var file = FileObject(path: path, type: type)
        (file.size, file.etag, file.modificationTime) = (size, etag, modified.map { FileTime(seconds: $0) })
        return file
    }
}

/// `{"items": […], "next": "TOKEN"}`.
private struct ShelfPage: Decodable {
    let items: [ShelfItem]
    let next: String?
}

/// `{"error": "the disk is full"}`.
private struct ShelfError: FileProviderHTTPError {
    let statusCode: Int
    let path: String
    let data: Data?

    var serverDescription: String? {
        data.flatMap { try? JSONDecoder().decode([String: String].self, from: $0)["error"] }
    }
}
