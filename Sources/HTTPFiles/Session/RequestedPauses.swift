import FileProviding
import Foundation

/// The pauses that servers have requested by 429 or 503 with `Retry-After` (RFC 9110, section 10.2.3): during one,
/// tasks with ``Patience`` send no new requests.
final class RequestedPauses: Sendable {
    /// Their ends, in the pacer's time.
    private let ends = Locked<[Origin: TimeInterval]>([:])
    private let pacer: Pacer

    init(pacer: Pacer) { self.pacer = pacer }

    /// Records a reply: a refusal begins a pause, and any other reply ends it, since the server does answer.
    ///
    /// - Parameter retryAfter: the length of the pause in seconds, if the reply tells one.
    func note(_ status: Int, retryAfter: TimeInterval?, from origin: Origin?) {
        guard let origin else { return }
        let end = [429, 503].contains(status) ? retryAfter.map { pacer.elapsed() + $0 } : nil
        ends.withLock { ends in
            guard end != nil || !ends.isEmpty else { return }
            ends[origin] = end
        }
    }

    /// Waits for the end of a server's pause, if that is in less than `limit` seconds.
    func wait(for origin: Origin?, limit: TimeInterval) async throws {
        guard limit > 0, let origin else { return }
        while let end = ends.withLock({ $0[origin] }) {
            let left = end - pacer.elapsed()
            guard left > 0, left <= limit else { return }
            // Briefly, because another task's reply may end the pause.
            try await pacer.sleep(min(left, 1))
        }
    }
}
