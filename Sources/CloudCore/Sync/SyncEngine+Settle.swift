import FileProviding
import Foundation

/// Waiting until no work remains that continues by itself.
extension SyncEngine {
    /// A task that waits until nothing will continue by itself before a deadline.
    struct Settler {
        let deadline: FileTime
        /// Resumed with `true` when there is none; with `false` if the work ends before.
        let goOn: CheckedContinuation<Bool, any Error>
    }

    /// Works until nothing can continue: every command is done, or waits for something other than another command or a
    /// time within `patience`.
    func settle(waiting patience: Duration = .zero) async throws {
        let seconds = min(patience, .seconds(Self.longestPause)).components.seconds
        let deadline = vault.clock().later(bySeconds: seconds)
        repeat {
            guard isWorking else { return try await work(until: deadline) }
            goOn()
        } while try await !untilSettled(deadline)
    }

    /// Waits while another task does the work, or until this task is cancelled.
    ///
    /// - Returns: whether nothing will continue before the deadline; `false` if the work ended before.
    private func untilSettled(_ deadline: FileTime) async throws -> Bool {
        let id = UUID()
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { goOn in
                if Task.isCancelled { return goOn.resume(throwing: CancellationError()) }
                settlers[id] = Settler(deadline: deadline, goOn: goOn)
            }
        } onCancel: {
            Task { await self.stopSettling(id) }
        }
    }

    private func stopSettling(_ id: UUID) {
        settlers.removeValue(forKey: id)?.goOn.resume(throwing: CancellationError())
    }

    /// Resumes everyone whose deadline is before the next time at which something continues by itself.
    func resumeSettlers(before next: FileTime?) {
        for (id, settler) in settlers where next.map({ settler.deadline < $0 }) ?? true {
            settlers[id] = nil
            settler.goOn.resume(returning: true)
        }
    }

    /// Resumes everyone because the work has ended.
    func endSettling() {
        let all = settlers.values
        settlers = [:]
        for settler in all { settler.goOn.resume(returning: false) }
    }
}
