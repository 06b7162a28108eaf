import FileProviding
import Foundation

/// The policy for sending requests again: the one place that decides which, and when.
public struct RetryPolicy: Sendable, Hashable, Codable {
    /// The most times that a request is sent again.
    public var maximumRetries: Int
    /// The time, in seconds from the first attempt, after which no retry begins.
    public var within: TimeInterval
    /// The upper bound of the first pause, in seconds; it doubles each time.
    public var firstPause: TimeInterval
    /// The upper bound of any pause that the server did not request, in seconds.
    public var longestPause: TimeInterval

    /// Creates a policy; the defaults suit interactive use.
    public init(
        maximumRetries: Int = 3, within: TimeInterval = 30, firstPause: TimeInterval = 0.5,
        longestPause: TimeInterval = 8
    ) {
        self.maximumRetries = maximumRetries
        self.within = within
        self.firstPause = firstPause
        self.longestPause = longestPause
    }

    /// Decodes the keys that are present; the others have their defaults.
    public init(from decoder: any Decoder) throws {
        self.init()
        let stored = try decoder.container(keyedBy: CodingKeys.self)
        try stored.decode(.maximumRetries, into: &maximumRetries)
        try stored.decode(.within, into: &within)
        try stored.decode(.firstPause, into: &firstPause)
        try stored.decode(.longestPause, into: &longestPause)
    }

    /// A policy that repeats nothing.
    public static let never = RetryPolicy(maximumRetries: 0)
}

extension RetryPolicy {
    /// Returns whether a reply indicates that the same request may succeed later.
    static func isTransient(_ status: Int, for request: HTTPRequest) -> Bool {
        HTTPStatus.isTransient(status) || status == 423 && request.retriesWhenLocked
    }

    /// Returns whether a request may be sent again after a reply with this status.
    ///
    /// A request that was refused without being tried (locked, too early, too many, overloaded) may be repeated
    /// whatever it does.
    func allowsRetry(of request: HTTPRequest, status: Int, retries: Int) -> Bool {
        retries < maximumRetries && Self.isTransient(status, for: request) && request.body.isReplayable
            && (request.isSafeToRepeat || [423, 425, 429, 503].contains(status))
    }

    /// Returns whether a request may be sent again after a failure of the connection.
    ///
    /// - Parameter isUntouched: whether no byte of the body was taken from its source.
    func allowsRetry(of request: HTTPRequest, after failure: TransferFailure, retries: Int, isUntouched: Bool) -> Bool {
        guard retries < maximumRetries, failure.isTransient, request.body.isReplayable || isUntouched else {
            return false
        }
        return failure.stage == .notSent || request.isSafeToRepeat
    }

    /// Returns how long to wait, in seconds, or `nil` to give up.
    ///
    /// - Parameters:
    ///   - elapsed: seconds since the first attempt.
    ///   - retryAfter: what the server requested, in seconds.
    ///   - patience: the time, in seconds from the first attempt, within which a requested pause may end.
    ///   - random: a number from 0 up to 1: pauses are spread so that clients do not come back all at once.
    func pause(
        retries: Int, elapsed: TimeInterval, retryAfter: TimeInterval?, patience: TimeInterval = 0, random: Double
    ) -> TimeInterval? {
        let bound = min(longestPause, firstPause * pow(2, Double(retries)))
        let pause = max(bound * random, retryAfter ?? 0)
        return elapsed + pause <= (retryAfter == nil ? within : max(within, patience)) ? pause : nil
    }

    /// Returns the value of `Retry-After` (RFC 9110, section 10.2.3), in seconds.
    static func retryAfter(_ headers: HTTPHeaders, now: Date) -> TimeInterval? {
        guard let value = headers["Retry-After"] else { return nil }
        // Thirty years are practically forever, and fit a `Duration`.
        if let seconds = TimeInterval(value), seconds.isFinite { return min(max(0, seconds), 1e9) }
        return HTTPDate.parse(value).map { max(0, $0.date.timeIntervalSince(now)) }
    }
}
