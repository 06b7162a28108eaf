import Foundation

/// The head of a server's reply. The session leaves what a status means to the provider.
public struct HTTPResponse: Sendable, Hashable {
    /// The status code: any integer that the server said.
    public var status: Int
    /// The header fields.
    public var headers: HTTPHeaders
    /// Where the reply came from, after redirections.
    public var url: URL
    /// The method of the request that was answered, after redirections.
    public var method: HTTPMethod

    /// A reply, for tests and decorators.
    public init(status: Int, headers: HTTPHeaders = [:], url: URL, method: HTTPMethod = .get) {
        self.status = status
        self.headers = headers
        self.url = url
        self.method = method
    }

    /// Whether the status is 2xx.
    public var isSuccess: Bool { (200..<300).contains(status) }

    /// What `Content-Length` says, or `nil`. With compression it is not the number of bytes that arrive; beside
    /// `Transfer-Encoding` it does not count (RFC 9112, section 6.3).
    public var contentLength: Int64? {
        guard headers["Transfer-Encoding"] == nil else { return nil }
        return headers["Content-Length"].flatMap { Int64($0) }.flatMap { $0 >= 0 ? $0 : nil }
    }
}

/// What to do with a reply to a download, decided from its head.
public enum HTTPDownloadDecision: Sendable, Hashable {
    /// Write the body, without its first `skipping` bytes and no more than `length` bytes of the rest.
    ///
    /// Slicing turns a whole reply to a `Range` request into the range that was meant.
    case write(skipping: Int64 = 0, length: Int64? = nil)
    /// Write nothing; hand the body back for its text.
    case refuse
}

/// How a download ended.
public struct HTTPDownloadResult: Sendable {
    /// The reply's head.
    public var response: HTTPResponse
    /// How many bytes were written to the file.
    public var written: Int64
    /// The beginning of the body, at most 64 KiB, where the reply was refused; else `nil`.
    public var refusedBody: Data?
}
