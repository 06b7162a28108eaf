/// A delegate that is notified about the course of operations, to update the user interface: those that are a
/// ``FileOperationType``. Called on the context's `dispatchQueue`, in order.
///
/// A main-actor class conforms with `nonisolated` methods; if the context's queue is `.main`,
/// `MainActor.assumeIsolated` in them is on the main actor at once.
public protocol FileProviderDelegate: AnyObject, Sendable {
    /// Reports that the operation has succeeded.
    func fileproviderSucceed(_ fileProvider: any FileProviderOperations, operation: FileOperationType)
    /// Reports that the operation failed, was cancelled or was vetoed.
    func fileproviderFailed(
        _ fileProvider: any FileProviderOperations, operation: FileOperationType, error: any Error)
    /// Reports the operation's progress, 0 to 1; at most ten times a second and at its end, never backwards. Not called
    /// while the total is unknown, nor for an empty file.
    func fileproviderProgress(
        _ fileProvider: any FileProviderOperations, operation: FileOperationType, progress: Float)
}

extension FileProviderDelegate {
    /// Does nothing.
    public func fileproviderSucceed(_ fileProvider: any FileProviderOperations, operation: FileOperationType) {}

    /// Does nothing.
    public func fileproviderFailed(
        _ fileProvider: any FileProviderOperations, operation: FileOperationType, error: any Error
    ) {}

    /// Does nothing.
    public func fileproviderProgress(
        _ fileProvider: any FileProviderOperations, operation: FileOperationType, progress: Float
    ) {}
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
