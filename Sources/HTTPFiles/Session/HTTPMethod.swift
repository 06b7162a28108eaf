/// A request method (RFC 9110, section 9, and the WebDAV ones of RFC 4918, 3253 and 5323).
public struct HTTPMethod: RawRepresentable, Hashable, Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
    /// The method as it is sent. Methods are case-sensitive.
    public let rawValue: String

    /// Creates any method. One that is not an RFC 9110 token makes its request fail with `URLError(.badURL)`.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Creates any method from a literal in source code.
    public init(stringLiteral value: String) { self.init(rawValue: value) }

    /// The same as ``rawValue``.
    public var description: String { rawValue }
}

extension HTTPMethod {
    /// Reads an item's bytes.
    public static let get: HTTPMethod = "GET"
    /// Reads the header fields that GET would return for an item.
    public static let head: HTTPMethod = "HEAD"
    /// Writes an item's bytes.
    public static let put: HTTPMethod = "PUT"
    /// Sends data for the server to process.
    public static let post: HTTPMethod = "POST"
    /// Removes an item.
    public static let delete: HTTPMethod = "DELETE"
    /// Changes a part of an item.
    public static let patch: HTTPMethod = "PATCH"
    /// Asks for the server's capabilities.
    public static let options: HTTPMethod = "OPTIONS"
    /// Reads properties; lists a collection.
    public static let propfind: HTTPMethod = "PROPFIND"
    /// Changes properties.
    public static let proppatch: HTTPMethod = "PROPPATCH"
    /// Creates a collection.
    public static let mkcol: HTTPMethod = "MKCOL"
    /// Copies an item on the server.
    public static let copy: HTTPMethod = "COPY"
    /// Moves an item on the server.
    public static let move: HTTPMethod = "MOVE"
    /// Takes or renews a lock.
    public static let lock: HTTPMethod = "LOCK"
    /// Releases a lock.
    public static let unlock: HTTPMethod = "UNLOCK"
    /// Requests a report.
    public static let report: HTTPMethod = "REPORT"
    /// Searches.
    public static let search: HTTPMethod = "SEARCH"

    /// Whether sending the request twice has the same effect as sending it once, according to the IANA registry of
    /// methods.
    ///
    /// Unknown methods are not idempotent.
    public var isIdempotent: Bool {
        isReading || [.put, .delete, .proppatch, .mkcol, .copy, .move, .unlock].contains(self)
    }

    /// Whether the request changes nothing; such a request may follow any redirection.
    var isReading: Bool {
        [.get, .head, .options, .propfind, .report, .search].contains(self)
    }

    /// Whether a server expects a length even if there is no body (RFC 9110, section 8.6).
    var anticipatesBody: Bool {
        [.put, .post, .patch].contains(self)
    }
}
