/// A delegate that is notified about the course of operations, to update the user interface. Called on the context's
/// `dispatchQueue`, in order.
public protocol FileProviderDelegate: AnyObject, Sendable {
    /// Reports that the operation has succeeded.
    func fileproviderSucceed(_ fileProvider: any FileProviderOperations, operation: FileOperationType)
    /// Reports that the operation failed, was cancelled or was vetoed.
    func fileproviderFailed(
        _ fileProvider: any FileProviderOperations, operation: FileOperationType, error: any Error)
    /// Reports the operation's progress, 0 to 1; at most ten times a second, never backwards. Not called while the
    /// total is unknown.
    func fileproviderProgress(
        _ fileProvider: any FileProviderOperations, operation: FileOperationType, progress: Float)
}

/// A delegate that decides before an operation and after its failure. Requirements are asynchronous, so a main-actor
/// class can conform.
public protocol FileOperationDelegate: AnyObject, Sendable {
    /// Returns whether to run the operation. `false` fails it with `CocoaError(.userCancelled)` before anything is
    /// sent.
    func fileProvider(
        _ fileProvider: any FileProviderOperations, shouldDoOperation operation: FileOperationType
    ) async -> Bool
    /// Returns whether to ignore the failure: with `true` the operation reports success although it was not done.
    func fileProvider(
        _ fileProvider: any FileProviderOperations, shouldProceedAfterError error: any Error,
        operation: FileOperationType
    ) async -> Bool
}

extension FileOperationDelegate {
    /// Returns the default: `true`.
    public func fileProvider(
        _ fileProvider: any FileProviderOperations, shouldDoOperation operation: FileOperationType
    ) async -> Bool { true }

    /// Returns the default: `false`.
    public func fileProvider(
        _ fileProvider: any FileProviderOperations, shouldProceedAfterError error: any Error,
        operation: FileOperationType
    ) async -> Bool { false }
}

/// An event that a delegate is notified of.
public enum FileOperationEvent: Sendable {
    /// The operation has succeeded.
    case succeeded
    /// The operation has failed.
    case failed(any Error)
    /// The operation's progress, 0 to 1.
    case progressed(Float)
}

extension FileProviderOperations {
    /// Notifies the delegate on the context's queue, and returns at once. What goes through the conveniences, such as
    /// `copyItem(path:to:)`, is notified already; a provider calls this for what it does beside them, and never the
    /// delegate itself.
    public func delegateNotify(_ operation: FileOperationType, _ event: FileOperationEvent) {
        guard let delegate = context.delegate else { return }
        context.dispatchQueue.async {
            switch event {
            case .succeeded: delegate.fileproviderSucceed(self, operation: operation)
            case .failed(let error): delegate.fileproviderFailed(self, operation: operation, error: error)
            case .progressed(let progress):
                delegate.fileproviderProgress(self, operation: operation, progress: progress)
            }
        }
    }
}
