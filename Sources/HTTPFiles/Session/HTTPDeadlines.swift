import Foundation

/// How long to wait for a peer, in seconds. Time that the program itself keeps the transfer waiting does not count.
public struct HTTPDeadlines: Sendable, Hashable, Codable {
    /// For name lookup, connection and TLS handshake together.
    public var connect: TimeInterval
    /// Without any byte in either direction. The answer to a body that was sent may take as much longer as its bytes take at
    /// 10 MB/s: servers move and examine what they have got.
    public var idle: TimeInterval
    /// For the answer to COPY, MOVE, DELETE, PROPFIND, REPORT and SEARCH, which comes when a server has worked through all
    /// that they are about. Silent for longer than ``idle``, it has to answer one of three other requests meanwhile.
    public var work: TimeInterval
    /// The slowest acceptable transfer in bytes per second, averaged over ``rateWindow``; zero accepts any.
    public var minimumRate: Int64
    /// The time over which the rate is averaged.
    public var rateWindow: TimeInterval
    /// For the whole request with redirections and retries, or `nil`.
    public var total: TimeInterval?

    /// Deadlines; the defaults suit interactive use.
    public init(
        connect: TimeInterval = 10, idle: TimeInterval = 30, work: TimeInterval = 600, minimumRate: Int64 = 100,
        rateWindow: TimeInterval = 30, total: TimeInterval? = nil
    ) {
        self.connect = connect
        self.idle = idle
        self.work = work
        self.minimumRate = minimumRate
        self.rateWindow = rateWindow
        self.total = total
    }

    /// Decodes what is there; the rest has its default.
    public init(from decoder: any Decoder) throws {
        self.init()
        let stored = try decoder.container(keyedBy: CodingKeys.self)
        try stored.decode(.connect, into: &connect)
        try stored.decode(.idle, into: &idle)
        try stored.decode(.work, into: &work)
        try stored.decode(.minimumRate, into: &minimumRate)
        try stored.decode(.rateWindow, into: &rateWindow)
        try stored.decode(.total, into: &total)
    }

    /// All times multiplied by `factor`; the rate stays.
    public func scaled(by factor: Double) -> HTTPDeadlines {
        HTTPDeadlines(
            connect: connect * factor, idle: idle * factor, work: work * factor, minimumRate: minimumRate,
            rateWindow: rateWindow * factor, total: total.map { $0 * factor })
    }
}
