/// Is told how operations go, to update what a person sees. Called on the context's `dispatchQueue`, in order.
public protocol FileProviderDelegate: AnyObject, Sendable {
    /// The operation is done.
    func fileproviderSucceed(_ fileProvider: any FileProviderOperations, operation: FileOperationType)
    /// The operation failed, was cancelled or was vetoed.
    func fileproviderFailed(
        _ fileProvider: any FileProviderOperations, operation: FileOperationType, error: any Error)
    /// The operation is so far, 0 to 1; at most ten times a second, never backwards. Not called while the total is unknown.
    func fileproviderProgress(
        _ fileProvider: any FileProviderOperations, operation: FileOperationType, progress: Float)
}

/// Is asked before an operation and after its failure. Requirements are asynchronous, so a main-actor class can conform.
public protocol FileOperationDelegate: AnyObject, Sendable {
    /// Whether to do it. A `false` fails the operation with `CocoaError(.userCancelled)` before anything is sent.
    func fileProvider(
        _ fileProvider: any FileProviderOperations, shouldDoOperation operation: FileOperationType
    ) async -> Bool
    /// Whether to pass over the failure: with `true` the operation reports success although it was not done.
    func fileProvider(
        _ fileProvider: any FileProviderOperations, shouldProceedAfterError error: any Error,
        operation: FileOperationType
    ) async -> Bool
}

extension FileOperationDelegate {
    /// Yes.
    public func fileProvider(
        _ fileProvider: any FileProviderOperations, shouldDoOperation operation: FileOperationType
    ) async -> Bool { true }

    /// No.
    public func fileProvider(
        _ fileProvider: any FileProviderOperations, shouldProceedAfterError error: any Error,
        operation: FileOperationType
    ) async -> Bool { false }
}

/// What a delegate is told of an operation.
public enum FileOperationEvent: Sendable {
    /// Done.
    case succeeded
    /// Failed.
    case failed(any Error)
    /// So far, 0 to 1.
    case progressed(Float)
}

extension FileProviderOperations {
    /// Tells the delegate, on the context's queue, and returns at once. Providers call this, never the delegate itself.
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
