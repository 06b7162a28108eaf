import FileProviding
import Foundation

/// The pauses that servers have requested by 429 or 503 with `Retry-After` (RFC 9110, section 10.2.3): during one,
/// tasks with ``Patience`` send no new requests.
final class RequestedPauses: Sendable {
    private struct Pause {
        let begin: TimeInterval
        let end: TimeInterval
    }

    /// In the pacer's time.
    private let pauses = Locked<[Origin: Pause]>([:])
    private let pacer: Pacer

    init(pacer: Pacer) { self.pacer = pacer }

    /// Records a reply: a refusal begins a pause, and any other reply to a request that was sent during one ends it,
    /// since the server does answer.
    ///
    /// - Parameters:
    ///   - retryAfter: the length of the pause in seconds, if the reply tells one.
    ///   - sent: when the request was sent, in the pacer's time.
    func note(_ status: Int, retryAfter: TimeInterval?, from origin: Origin?, sentAt sent: TimeInterval) {
        guard let origin else { return }
        pauses.withLock { pauses in
            if [429, 503].contains(status) {
                guard let retryAfter else { return }
                let now = pacer.elapsed()
                pauses[origin] = Pause(begin: now, end: now + retryAfter)
            } else if let pause = pauses[origin], sent >= pause.begin {
                pauses[origin] = nil
            }
        }
    }

    /// Waits for the end of a server's pause, if that is in less than `limit` seconds.
    func wait(for origin: Origin?, limit: TimeInterval) async throws {
        guard limit > 0, let origin else { return }
        while let end = pauses.withLock({ $0[origin]?.end }) {
            let left = end - pacer.elapsed()
            guard left > 0, left <= limit else { return }
            // Briefly, because another task's reply may end the pause.
            try await pacer.sleep(min(left, 1))
        }
    }
}
