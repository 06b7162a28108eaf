import Foundation

/// Detects a transfer that is stalled or too slow.
///
/// libcurl's own low-speed check keeps running while a slow program makes the peer wait for bytes, and remembers a slow
/// second from before a pause; this one counts only the time spent waiting for the peer.
struct DeadlineWatch {
    /// The number of seconds for which the peer has been silent.
    private(set) var silence: TimeInterval = 0
    private let deadlines: HTTPDeadlines
    private var last: ContinuousClock.Instant?
    private var bytes: Int64 = 0
    private var windowTime: TimeInterval = 0
    private var windowBytes: Int64 = 0

    init(_ deadlines: HTTPDeadlines) { self.deadlines = deadlines }

    /// How often to check, in seconds.
    var interval: TimeInterval {
        min(1, max(0.01, min(deadlines.idle, deadlines.rateWindow) / 4))
    }

    /// Records the state of a transfer.
    ///
    /// - Parameters:
    ///   - total: bytes in both directions since it began.
    ///   - isHeldUp: whether the program itself makes the peer wait.
    ///   - answerTime: how long the peer, once it has the whole request, may be silent before it answers; `nil` at
    ///     other times.
    /// - Returns: what is wrong, in words, or `nil`.
    mutating func look(
        at total: Int64, isHeldUp: Bool, answerTime: TimeInterval? = nil, now: ContinuousClock.Instant
    ) -> String? {
        defer {
            last = now
            bytes = total
        }
        guard let last else { return nil }
        if isHeldUp {
            silence = 0
            return nil
        }
        let time = (now - last) / .seconds(1)
        silence = total > bytes ? 0 : silence + time
        let idle = max(deadlines.idle, answerTime ?? 0)
        if silence >= idle { return "no byte for \(formatted(idle)) s" }
        // A peer that is silent before an answer is not slow.
        if answerTime != nil, total == bytes { return nil }
        windowTime += time
        windowBytes += total - bytes
        guard windowTime >= deadlines.rateWindow else { return nil }
        if Double(windowBytes) < Double(deadlines.minimumRate) * windowTime {
            return "fewer than \(deadlines.minimumRate) bytes/s over \(formatted(deadlines.rateWindow)) s"
        }
        windowTime = 0
        windowBytes = 0
        return nil
    }

    private func formatted(_ seconds: TimeInterval) -> String {
        seconds == seconds.rounded() ? String(Int(seconds)) : String(seconds)
    }
}
