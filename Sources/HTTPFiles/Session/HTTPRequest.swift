import FileProviding
import Foundation

/// What to ask a server.
///
/// The session adds what belongs to it: authorization, user agent, length, and the configuration's extra headers.
public struct HTTPRequest: Sendable {
    /// What to do.
    public var method: HTTPMethod
    /// Where: `http` or `https`, without user and password. The path is sent as it is written here.
    public var url: URL
    /// What to say with it. `Content-Length`, `Transfer-Encoding`, `Connection` and `Host` are the transport's own. A redirection
    /// to another origin takes along only what is about content, conditions and ranges.
    public var headers: HTTPHeaders
    /// The bytes to send.
    public var body: HTTPBody
    /// How long to wait, where it differs from the session's configuration.
    public var deadlines: HTTPDeadlines?
    /// How much to accept, where it differs from the session's configuration.
    public var limits: HTTPLimits?
    /// Whether the session may send the request again after a lost connection or a passing refusal.
    ///
    /// By default what ``HTTPMethod/isIdempotent`` says. A request that never reached the server is sent again either way.
    public var isSafeToRepeat: Bool
    /// Whether the session's credential and extra headers go with it. Never do they go to another origin.
    public var sendsCredential = true
    /// Whether the URL is a credential itself, as an upload's address can be: logs show its origin only. Errors that name it
    /// are the caller's to replace.
    public var hidesURL = false
    /// Whether the server may compress the reply: for listings, not for files and never with `Range`.
    public var acceptsCompression = false
    /// Whether a status 423 (locked) is waited out like an overloaded server.
    public var retriesWhenLocked = false

    /// Whether a kept reply may answer, where the session's `cachePolicy` keeps some.
    public var mayComeFromCache = true

    /// A request with the defaults above.
    public init(_ method: HTTPMethod, _ url: URL, headers: HTTPHeaders = [:], body: HTTPBody = .none) {
        self.method = method
        self.url = url
        self.headers = headers
        self.body = body
        isSafeToRepeat = method.isIdempotent
    }
}

/// The bytes that a request carries.
public enum HTTPBody: Sendable {
    /// No bytes.
    case none
    /// These bytes.
    case bytes(Data)
    /// Bytes pulled as the connection takes them: a local file on the transport's own thread, anything else chunk by
    /// chunk with at most 1 MiB waiting. Without a length they go in chunked encoding, which some servers refuse.
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
