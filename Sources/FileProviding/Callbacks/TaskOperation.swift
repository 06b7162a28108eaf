import Foundation

/// An operation of a queue that ends when its task does, so that the queue limits how many tasks run at once. The task
/// always runs; if the operation was cancelled before, the task is cancelled from the start. References are released
/// when it ends.
final class TaskOperation: Operation, @unchecked Sendable {  // What changes is locked.
    private struct State {
        var work: (@Sendable () async -> Void)?
        var task: Task<Void, Never>?
        var isExecuting = false
        var isFinished = false
    }

    private let state: Locked<State>

    init(_ work: @escaping @Sendable () async -> Void) { state = Locked(State(work: work)) }

    override var isAsynchronous: Bool { true }
    override var isExecuting: Bool { state.withLock { $0.isExecuting } }
    override var isFinished: Bool { state.withLock { $0.isFinished } }

    override func start() {
        willChangeValue(for: \.isExecuting)
        let work = state.withLock { state in
            state.isExecuting = true
            return state.work.take()
        }
        didChangeValue(for: \.isExecuting)
        let task = Task {
            await work?()
            end()
        }
        state.withLock { $0.task = task }
        if isCancelled { task.cancel() }
    }

    override func cancel() {
        super.cancel()
        state.withLock { $0.task }?.cancel()
    }

    private func end() {
        willChangeValue(for: \.isExecuting)
        willChangeValue(for: \.isFinished)
        state.withLock { ($0.isExecuting, $0.isFinished, $0.task) = (false, true, nil) }
        didChangeValue(for: \.isExecuting)
        didChangeValue(for: \.isFinished)
    }
}
