import FileProviding
import Foundation

/// Updates a `Progress` during a transfer; ten times a second, since each update takes its lock.
final class TransferProgress: Sendable {
    private struct State {
        var found: Int64 = 0
        var done: Int64 = 0
        var due = ContinuousClock.now

        /// Returns the state to show, when it is time for it.
        mutating func shown() -> State? {
            let now = ContinuousClock.now
            guard now >= due else { return nil }
            due = now + .milliseconds(100)
            return self
        }
    }

    private let progress: Progress
    private let state = Locked(State())

    init(_ progress: Progress) { self.progress = progress }

    func advance(by count: Int64) {
        let shown = state.withLock { state -> State? in
            state.done += count
            return state.shown()
        }
        show(shown)
    }

    func note(_ event: TransferEvent) {
        let shown = state.withLock { state -> State? in
            switch event {
            case .found(_, let bytes): state.found = max(state.found, bytes)
            // What needs no copy is done too.
            case .ended(let receipt): state.done += receipt.size ?? 0
            case .began: return nil
            }
            return state.shown()
        }
        show(shown)
    }

    func finish(_ report: TransferReport) {
        show(state.withLock { $0 })
        if !report.isCutShort { progress.completedUnitCount = progress.totalUnitCount }
    }

    private func show(_ state: State?) {
        guard let state else { return }
        progress.totalUnitCount = max(state.found, state.done)
        progress.completedUnitCount = state.done
    }
}
