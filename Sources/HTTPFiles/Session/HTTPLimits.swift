/// Limits for the size of a reply. Exceeding one ends the request with `URLError(.dataLengthExceedsMaximum)`.
public struct HTTPLimits: Sendable, Hashable, Codable {
    /// The largest head, in bytes.
    public var headerBytes: Int
    /// The largest body after decompression, in bytes, or `nil` for any; a reply held in memory is still limited by
    /// ``HTTPLimits/wholeReply``.
    public var bodyBytes: Int64?
    /// The most redirections to follow.
    public var redirects: Int

    /// Creates limits; the defaults never affect a legitimate server.
    public init(headerBytes: Int = 256 << 10, bodyBytes: Int64? = nil, redirects: Int = 5) {
        self.headerBytes = headerBytes
        self.bodyBytes = bodyBytes
        self.redirects = redirects
    }

    /// Decodes the keys that are present; the others have their defaults.
    public init(from decoder: any Decoder) throws {
        self.init()
        let stored = try decoder.container(keyedBy: CodingKeys.self)
        try stored.decode(.headerBytes, into: &headerBytes)
        try stored.decode(.bodyBytes, into: &bodyBytes)
        try stored.decode(.redirects, into: &redirects)
    }

    /// The limit for a reply held in memory, unless ``bodyBytes`` sets another: 8 MiB.
    public static let wholeReply: Int64 = 8 << 20
}
