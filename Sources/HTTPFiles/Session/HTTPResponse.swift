import FileProviding
import Foundation

/// The head of a server's reply. The session leaves the meaning of a status to the provider.
public struct HTTPResponse: Sendable, Hashable {
    /// The status code: any integer that the server sent.
    public var status: Int
    /// The header fields.
    public var headers: HTTPHeaders
    /// The URL that the reply came from, after redirections.
    public var url: URL
    /// The method of the request that was answered, after redirections.
    public var method: HTTPMethod

    /// Creates a reply, for tests and decorators.
    public init(status: Int, headers: HTTPHeaders = [:], url: URL, method: HTTPMethod = .get) {
        self.status = status
        self.headers = headers
        self.url = url
        self.method = method
    }

    /// Whether the status is 2xx.
    public var isSuccess: Bool { (200..<300).contains(status) }

    /// The value of `ETag`; quotes that the server left out are added.
    public var etag: ETag? {
        guard let tag = headers["ETag"], !tag.isEmpty else { return nil }
        return ETag(rawValue: tag.hasPrefix("\"") || tag.hasPrefix("W/\"") ? tag : "\"\(tag)\"")
    }

    /// The value of `Content-Length`, or `nil`. With compression it is not the number of bytes that arrive; next to
    /// `Transfer-Encoding` it is ignored (RFC 9112, section 6.3).
    public var contentLength: Int64? {
        guard headers["Transfer-Encoding"] == nil else { return nil }
        return headers["Content-Length"].flatMap { Int64($0) }.flatMap { $0 >= 0 ? $0 : nil }
    }

    /// Whether the reply declares itself to be a web page: in place of a file or JSON most often a login form, sent
    /// with status 200.
    package var isWebPage: Bool {
        let type = headers["Content-Type"]?.prefix { $0 != ";" }.lowercased() ?? ""
        return ["text/html", "application/xhtml+xml"].contains(type.filter { !$0.isWhitespace })
    }
}

/// What to do with a reply to a download, decided from its head.
public enum HTTPDownloadDecision: Sendable, Hashable {
    /// Write the body, without its first `skipping` bytes and no more than `length` bytes of the rest.
    ///
    /// This cuts the requested range out of a whole reply to a `Range` request.
    case write(skipping: Int64 = 0, length: Int64? = nil)
    /// Write nothing; return the body for its text.
    case refuse
}

/// The result of a download.
public struct HTTPDownloadResult: Sendable {
    /// The reply's head.
    public var response: HTTPResponse
    /// The number of bytes written to the file.
    public var written: Int64
    /// The beginning of the body, at most 64 KiB, if the reply was refused; otherwise `nil`.
    public var refusedBody: Data?
}
