import Dispatch
import Foundation
import Logging

/// What belongs to one provider instance and not to its storage: delegates, queues, logger, monitor registrations.
///
/// Held by the provider; a copy of a provider takes a fresh one. Delegates are weak.
public final class FileProviderContext: Sendable {
    /// Where callback forms call back and delegates are told: serial, so in order. Change it before the first operation.
    public var dispatchQueue: DispatchQueue {
        get { state.withLock { $0.dispatchQueue } }
        set { state.withLock { $0.dispatchQueue = newValue } }
    }

    /// The queue that bounds how many operations of the callback forms run at once.
    public var operationQueue: OperationQueue {
        get { state.withLock { $0.operationQueue } }
        set { state.withLock { $0.operationQueue = newValue } }
    }

    /// Where the provider logs: operations and their failures at `debug`; whoever called has the error.
    public var logger: Logger {
        get { state.withLock { $0.logger } }
        set { state.withLock { $0.logger = newValue } }
    }

    /// Is told how operations end and how far they are.
    public var delegate: (any FileProviderDelegate)? {
        get { state.withLock { $0.delegate } }
        set { state.withLock { $0.delegate = newValue } }
    }

    /// Is asked before operations and after failures.
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
        var monitors: [ItemPath: Task<Void, Never>] = [:]
    }

    private let state = Locked(State())

    /// A context without delegates.
    public init() {}

    deinit { state.withLock { $0.monitors }.values.forEach { $0.cancel() } }

    /// Keeps the task that watches `path`, or forgets it with `nil`; returns the one kept before.
    func replaceMonitor(at path: ItemPath, with task: Task<Void, Never>?) -> Task<Void, Never>? {
        state.withLock { state in
            defer { state.monitors[path] = task }
            return state.monitors[path]
        }
    }

    /// Whether a task watches `path`.
    func hasMonitor(at path: ItemPath) -> Bool { state.withLock { $0.monitors[path] != nil } }
}
