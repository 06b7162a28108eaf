import Logging

/// What an operation receives besides its paths: options, progress and logger.
public struct OperationContext: Sendable {
    /// The options of the operation.
    public var options: OperationOptions
    /// The progress that counts bytes and items.
    public let progress: OperationProgress
    /// The logger. Never log secrets or a URL's query.
    public var logger: Logger

    /// Creates a context.
    public init(
        options: OperationOptions = OperationOptions(), progress: OperationProgress = OperationProgress(),
        logger: Logger = Logger(label: "FileProviders")
    ) {
        self.options = options
        self.progress = progress
        self.logger = logger
    }
}
