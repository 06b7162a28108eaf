/// A delegate that decides before an operation that is a ``FileOperationType``, and after its failure. It is not asked
/// about trashes, versions, shares and attributes, nor about the steps of a transfer, a mirror or a vault: those have
/// their own options and issues. Requirements are asynchronous, so a main-actor class can conform.
public protocol FileOperationDelegate: AnyObject, Sendable {
    /// Returns whether to run the operation. `false` fails it with `CocoaError(.userCancelled)` before anything is
    /// sent.
    func fileProvider(
        _ fileProvider: any FileProviderOperations, shouldDoOperation operation: FileOperationType
    ) async -> Bool
    /// Returns whether to ignore the failure: with `true` the operation reports success although it was not done. Not
    /// called after a cancellation or its own refusal, nor when contents could not be read: they are not empty.
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
