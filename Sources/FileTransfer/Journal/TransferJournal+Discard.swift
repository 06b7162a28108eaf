import FileProviding
import Foundation

extension TransferJournal {
    /// Removes what the interrupted transfer left, and the journal.
    ///
    /// - Throws: the reason why something stays there; the journal is then kept.
    func discard(at target: any FileProvider) async throws {
        if let failure = await removeLeftovers(at: target) {
            try close(keeping: true)
            throw failure
        }
        try close(keeping: false)
    }

    /// Removes what unfinished files left.
    ///
    /// - Returns: why something stays; if the server cannot be reached, nothing more is tried.
    private func removeLeftovers(at target: any FileProvider) async -> (any Error)? {
        var failure: (any Error)?
        for part in parts where !(failure is URLError) {
            let leftover = Leftover(part: part, provider: target, names: series(for: part.target).names)
            let error = await leftover.remove()
            failure = failure ?? error
        }
        return failure
    }
}
