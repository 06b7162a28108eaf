/// How much of a reply to accept. What exceeds a limit ends the request with `URLError(.dataLengthExceedsMaximum)`.
public struct HTTPLimits: Sendable, Hashable, Codable {
    /// The head, in bytes.
    public var headerBytes: Int
    /// The body after decompression, in bytes, or `nil` for any; a reply held in memory is bounded all the same, by
    /// ``HTTPLimits/wholeReply``.
    public var bodyBytes: Int64?
    /// Redirections followed.
    public var redirects: Int

    /// Limits; the defaults never hurt an honest server.
    public init(headerBytes: Int = 256 << 10, bodyBytes: Int64? = nil, redirects: Int = 5) {
        self.headerBytes = headerBytes
        self.bodyBytes = bodyBytes
        self.redirects = redirects
    }

    /// Decodes what is there; the rest has its default.
    public init(from decoder: any Decoder) throws {
        self.init()
        let stored = try decoder.container(keyedBy: CodingKeys.self)
        try stored.decode(.headerBytes, into: &headerBytes)
        try stored.decode(.bodyBytes, into: &bodyBytes)
        try stored.decode(.redirects, into: &redirects)
    }

    /// The bound of a reply held in memory, where ``bodyBytes`` does not say another: 8 MiB.
    public static let wholeReply: Int64 = 8 << 20
}
