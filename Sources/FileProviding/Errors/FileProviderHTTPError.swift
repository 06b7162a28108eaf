import Foundation

/// A server's refusal: its status, the item, and the server's own message.
public protocol FileProviderHTTPError: LocalizedError, CustomStringConvertible, Sendable {
    /// The status, any integer that a server can send.
    var statusCode: Int { get }
    /// The item that the request was about.
    var path: String { get }
    /// What the server said, shortened, or `nil` when it said nothing human-readable.
    var serverDescription: String? { get }
}

extension FileProviderHTTPError {
    /// `"/a/b: the server answered 418 I'm a teapot (its words)"`.
    public var description: String {
        let words = serverDescription.map { " (\($0))" } ?? ""
        return "\(path): the server answered \(statusCode) \(HTTPStatus.phrase(statusCode))\(words)"
    }

    /// The same as `description`.
    public var errorDescription: String? { description }
}

extension Error {
    /// The status of the server's answer: that of this error or of its underlying error. `nil` for any other error.
    package var httpStatus: Int? {
        let answer = (self as? CocoaError)?.userInfo[NSUnderlyingErrorKey] ?? self
        return (answer as? any FileProviderHTTPError)?.statusCode
    }
}

/// The status codes of HTTP and WebDAV (RFC 9110, section 15; RFC 4918, section 11).
public enum HTTPStatus {
    /// Returns the phrase of a status, or `"(unknown status)"`.
    public static func phrase(_ status: Int) -> String { phrases[status] ?? "(unknown status)" }

    /// Returns whether the same request may succeed later.
    package static func isTransient(_ status: Int) -> Bool {
        isGatewayFault(status) || [408, 425, 429, 500, 509].contains(status)
    }

    /// Returns whether the server is unavailable altogether, which says nothing about the item.
    package static func isUnavailable(_ status: Int) -> Bool { status != 500 && isTransient(status) }

    /// Returns whether a gateway got no reply from the server, which may have carried out the request.
    package static func isReplyMissing(_ status: Int) -> Bool { [502, 504].contains(status) }

    /// Returns whether the server behind a gateway may be unavailable: 502, 503 and 504.
    package static func isGatewayFault(_ status: Int) -> Bool { [502, 503, 504].contains(status) }

    private static let phrases: [Int: String] = [
        200: "OK", 201: "Created", 202: "Accepted", 204: "No Content", 206: "Partial Content", 207: "Multi-Status",
        301: "Moved Permanently", 302: "Found", 303: "See Other", 304: "Not Modified", 307: "Temporary Redirect",
        308: "Permanent Redirect", 400: "Bad Request", 401: "Unauthorized", 402: "Payment Required", 403: "Forbidden",
        404: "Not Found", 405: "Method Not Allowed", 406: "Not Acceptable", 407: "Proxy Authentication Required",
        408: "Request Timeout", 409: "Conflict", 410: "Gone", 411: "Length Required", 412: "Precondition Failed",
        413: "Content Too Large", 414: "URI Too Long", 415: "Unsupported Media Type", 416: "Range Not Satisfiable",
        417: "Expectation Failed", 418: "I'm a teapot", 422: "Unprocessable Content", 423: "Locked",
        424: "Failed Dependency", 425: "Too Early", 426: "Upgrade Required", 428: "Precondition Required",
        429: "Too Many Requests", 431: "Request Header Fields Too Large", 451: "Unavailable For Legal Reasons",
        500: "Internal Server Error", 501: "Not Implemented", 502: "Bad Gateway", 503: "Service Unavailable",
        504: "Gateway Timeout", 507: "Insufficient Storage", 508: "Loop Detected", 509: "Bandwidth Limit Exceeded",
    ]
}
