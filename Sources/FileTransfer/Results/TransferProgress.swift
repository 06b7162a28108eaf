import FileProviding
import Foundation

/// Updates a `Progress` during a transfer; ten times a second, since each update takes its lock.
final class TransferProgress: Sendable {
    private struct State {
        var found: Int64 = 0
        var done: Int64 = 0
        var due = ContinuousClock.now
    }

    private let progress: Progress
    private let state = Locked(State())

    init(_ progress: Progress) { self.progress = progress }

    func advance(by count: Int64) {
        state.withLock { state in
            state.done = state.done.addingSaturated(count)
            showWhenDue(&state)
        }
    }

    func note(_ event: TransferEvent) {
        state.withLock { state in
            switch event {
            case .found(_, let bytes): state.found = max(state.found, bytes)
            // What needs no copy is done too.
            case .ended(let receipt): state.done = state.done.addingSaturated(receipt.size ?? 0)
            case .began: return
            }
            showWhenDue(&state)
        }
    }

    func finish(_ report: TransferReport) {
        state.withLock { state in
            show(state)
            if !report.isCutShort { progress.completedUnitCount = progress.totalUnitCount }
        }
    }

    private func showWhenDue(_ state: inout State) {
        let now = ContinuousClock.now
        guard now >= state.due else { return }
        state.due = now + .milliseconds(100)
        show(state)
    }

    /// Only with the lock: on Linux nothing else keeps two threads apart.
    private func show(_ state: State) {
        progress.raiseTotal(to: max(state.found, state.done))
        progress.completedUnitCount = state.done
    }
}
