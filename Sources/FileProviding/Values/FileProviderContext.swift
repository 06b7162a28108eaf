import Dispatch
import Foundation
import Logging

/// The parts of a provider that belong to the instance, not to the storage: delegates, queues, logger, monitor
/// registrations.
///
/// Held by the provider; a copy of a provider gets a new one. Delegates are held weakly.
public final class FileProviderContext: Sendable {
    /// The queue on which completion handlers and delegates are called: serial, so calls come in order. Set it before
    /// the first operation.
    public var dispatchQueue: DispatchQueue {
        get { state.withLock { $0.dispatchQueue } }
        set { state.withLock { $0.dispatchQueue = newValue } }
    }

    /// The queue that limits how many operations of the callback forms run at once. While it is suspended none begins;
    /// one that is cancelled calls back when its turn comes.
    public var operationQueue: OperationQueue {
        get { state.withLock { $0.operationQueue } }
        set { state.withLock { $0.operationQueue = newValue } }
    }

    /// The logger: operations and their failures are logged at `debug`, because the caller receives the error.
    public var logger: Logger {
        get { state.withLock { $0.logger } }
        set { state.withLock { $0.logger = newValue } }
    }

    /// The delegate that is notified of operations' progress and results.
    public var delegate: (any FileProviderDelegate)? {
        get { state.withLock { $0.delegate } }
        set { state.withLock { $0.delegate = newValue } }
    }

    /// The delegate that decides before operations and after failures.
    public var fileOperationDelegate: (any FileOperationDelegate)? {
        get { state.withLock { $0.fileOperationDelegate } }
        set { state.withLock { $0.fileOperationDelegate = newValue } }
    }

    private struct State {
        var dispatchQueue = DispatchQueue(label: "FileProviders.callbacks")
        var operationQueue = OperationQueue()
        var logger = Logger(label: "FileProviders")
        weak var delegate: (any FileProviderDelegate)?
        weak var fileOperationDelegate: (any FileOperationDelegate)?
        var monitors: [ItemPath: (number: UUID, task: Task<Void, Never>)] = [:]
    }

    private let state = Locked(State())

    /// Creates a context without delegates.
    public init() {}

    deinit { state.withLock { $0.monitors }.values.forEach { $0.task.cancel() } }

    /// Stores the task that watches `path`, or removes it with `nil`; returns the one stored before.
    func replaceMonitor(at path: ItemPath, with monitor: (UUID, Task<Void, Never>)?) -> Task<Void, Never>? {
        state.withLock { state in
            defer { state.monitors[path] = monitor }
            return state.monitors[path]?.task
        }
    }

    /// Removes the task that watches `path`, if it is still this one; returns whether it was.
    func removeMonitor(at path: ItemPath, _ number: UUID) -> Bool {
        state.withLock { state in
            guard state.monitors[path]?.number == number else { return false }
            state.monitors[path] = nil
            return true
        }
    }

    /// Returns whether this task watches `path`.
    func hasMonitor(at path: ItemPath, _ number: UUID) -> Bool {
        state.withLock { $0.monitors[path]?.number == number }
    }

    /// Returns whether a task watches `path`.
    func hasMonitor(at path: ItemPath) -> Bool { state.withLock { $0.monitors[path] != nil } }
}
