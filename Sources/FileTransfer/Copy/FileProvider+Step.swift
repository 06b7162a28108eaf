import FileProviding

extension FileProviderOperations {
    /// Does a step of a transfer, without asking the provider's delegates: one that ignores failures would have an old
    /// file replaced whose backup failed, and a move counted that was not done.
    @discardableResult
    package func step(_ operation: FileOperationType, _ options: OperationOptions = OperationOptions()) async throws
        -> FileObject?
    {
        try await perform(operation, in: OperationContext(options: options))
    }
}
