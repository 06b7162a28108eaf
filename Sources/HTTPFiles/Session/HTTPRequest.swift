import FileProviding
import Foundation

/// A request to a server.
///
/// The session adds authorization, user agent, length, and the configuration's extra headers.
public struct HTTPRequest: Sendable {
    /// The request method.
    public var method: HTTPMethod
    /// The `http` or `https` URL, without user and password. The path is sent exactly as written.
    public var url: URL
    /// The header fields. `Content-Length`, `Transfer-Encoding`, `Connection` and `Host` are set by the transport. On a
    /// redirection to another origin, only fields about content, conditions and ranges are sent along.
    public var headers: HTTPHeaders
    /// The bytes to send.
    public var body: HTTPBody
    /// The deadlines, where they differ from the session's configuration.
    public var deadlines: HTTPDeadlines?
    /// The limits, where they differ from the session's configuration.
    public var limits: HTTPLimits?
    /// Whether the session may send the request again after a lost connection, or a gateway's word that the server did
    /// not answer (502, 504).
    ///
    /// The default is ``HTTPMethod/isIdempotent``. A request that never reached the server is sent again in any case,
    /// and so is one refused with 425, 429 or 503, as often as the session's retry policy says: these mean that nothing
    /// was tried.
    public var isSafeToRepeat: Bool
    /// Whether the session's credential and extra headers are sent with the request. They are never sent to another
    /// origin.
    public var sendsCredential = true
    /// Whether the URL is itself a credential, as an upload's address can be: logs then show only its origin. Errors
    /// that name the URL are for the caller to replace.
    public var hidesURL = false
    /// Whether the server may compress the reply: suitable for listings, but not for files, and never with `Range`.
    public var acceptsCompression = false
    /// Whether a status 423 (locked) is retried like the status of an overloaded server.
    public var retriesWhenLocked = false

    /// Whether the reply may come from the cache, where the session's `cachePolicy` keeps replies.
    public var mayComeFromCache = true

    /// Creates a request with default settings.
    public init(_ method: HTTPMethod, _ url: URL, headers: HTTPHeaders = [:], body: HTTPBody = .none) {
        self.method = method
        self.url = url
        self.headers = headers
        self.body = body
        isSafeToRepeat = method.isIdempotent
    }
}

/// The bytes that a request carries.
public indirect enum HTTPBody: Sendable {
    /// No bytes.
    case none
    /// These bytes.
    case bytes(Data)
    /// Bytes pulled at the pace of the connection: a local file on the transport's own thread, or with the head if it
    /// has at most 64 KiB; anything else chunk by chunk with at most 1 MiB waiting. Without a length they are sent in
    /// chunked encoding, which some servers refuse.
    case stream(ByteStream)

    /// The number of bytes, or `nil` while unknown.
    public var length: Int64? {
        switch self {
        case .none: 0
        case .bytes(let data): Int64(data.count)
        case .stream(let stream): stream.length
        }
    }

    /// Whether the bytes can be sent a second time.
    public var isReplayable: Bool {
        if case .stream(let stream) = self { stream.isReplayable } else { true }
    }
}
