import Foundation

/// Limits for waiting for a peer, in seconds. Time in which the program itself delays the transfer does not count.
public struct HTTPDeadlines: Sendable, Hashable, Codable {
    /// The limit for name lookup, connection and TLS handshake together.
    public var connect: TimeInterval
    /// The limit for silence in both directions. The answer to a POST may take additional time, as long as the bytes of
    /// its body take at 10 MB/s, because servers move and examine what they received.
    public var idle: TimeInterval
    /// The limit for the answer to PUT, PATCH, COPY, MOVE and DELETE, which comes only when the server has finished its
    /// work; after a large body, as long as its bytes take at 10 MB/s in addition to ``idle``. If the server is silent
    /// for longer than ``idle``, it has to answer one of three other requests in the meantime.
    public var work: TimeInterval
    /// The limit for the answer to PROPFIND, REPORT and SEARCH, which some servers collect before they send any of it.
    /// Not for PROPFIND with `Depth: 0`, which is about a single item. If the server is silent for longer than
    /// ``idle``, it has to answer one of three other requests in the meantime, for PROPFIND one with `Depth: 0`.
    public var listing: TimeInterval
    /// The slowest acceptable transfer in bytes per second, averaged over ``rateWindow``; zero accepts any.
    public var minimumRate: Int64
    /// The time over which the rate is averaged.
    public var rateWindow: TimeInterval
    /// The limit for the whole request with redirections and retries, or `nil` for none.
    public var total: TimeInterval?

    /// Creates deadlines; the defaults suit interactive use.
    public init(
        connect: TimeInterval = 10, idle: TimeInterval = 30, work: TimeInterval = 600, listing: TimeInterval = 120,
        minimumRate: Int64 = 100, rateWindow: TimeInterval = 30, total: TimeInterval? = nil
    ) {
        self.connect = connect
        self.idle = idle
        self.work = work
        self.listing = listing
        self.minimumRate = minimumRate
        self.rateWindow = rateWindow
        self.total = total
    }

    /// Decodes the keys that are present; the others have their defaults.
    public init(from decoder: any Decoder) throws {
        self.init()
        let stored = try decoder.container(keyedBy: CodingKeys.self)
        try stored.decode(.connect, into: &connect)
        try stored.decode(.idle, into: &idle)
        try stored.decode(.work, into: &work)
        try stored.decode(.listing, into: &listing)
        try stored.decode(.minimumRate, into: &minimumRate)
        try stored.decode(.rateWindow, into: &rateWindow)
        try stored.decode(.total, into: &total)
    }

    /// Returns deadlines with all times multiplied by `factor`; the rate stays.
    public func scaled(by factor: Double) -> HTTPDeadlines {
        HTTPDeadlines(
            connect: connect * factor, idle: idle * factor, work: work * factor, listing: listing * factor,
            minimumRate: minimumRate, rateWindow: rateWindow * factor, total: total.map { $0 * factor })
    }
}
