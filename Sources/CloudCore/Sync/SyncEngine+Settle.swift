import FileProviding
import Foundation

/// Waiting until nothing goes on by itself.
extension SyncEngine {
    /// A task that waits until nothing will continue by itself before a deadline.
    struct Settler {
        let deadline: FileTime
        /// Resumed with `true` when that is so; with `false` if the work has ended before.
        let goOn: CheckedContinuation<Bool, any Error>
    }

    /// Works until nothing can continue: everything is done, or waits for something other than another command and a
    /// time within `patience`.
    func settle(waiting patience: Duration = .zero) async throws {
        let seconds = min(patience, .seconds(Self.longestPause)).components.seconds
        let deadline = vault.clock().later(bySeconds: seconds)
        repeat {
            guard isWorking else { return try await work(until: deadline) }
            goOn()
        } while try await !untilSettled(deadline)
    }

    /// Waits beside somebody else's work, or for the end of the task.
    ///
    /// - Returns: whether it is so; else the work has ended before.
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

    /// Resumes all whose patience ends before something continues by itself again.
    func resumeSettlers(before next: FileTime?) {
        for (id, settler) in settlers where next.map({ settler.deadline < $0 }) ?? true {
            settlers[id] = nil
            settler.goOn.resume(returning: true)
        }
    }

    /// Tells all that the work has ended.
    func endSettling() {
        let all = settlers.values
        settlers = [:]
        for settler in all { settler.goOn.resume(returning: false) }
    }
}
