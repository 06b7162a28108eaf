import Logging

/// What an operation is given besides its paths: how to do it, where to report, where to log.
public struct OperationContext: Sendable {
    /// How the operation is to be done.
    public var options: OperationOptions
    /// Where bytes and items are counted.
    public let progress: OperationProgress
    /// Where to log; never secrets, never a URL's query.
    public var logger: Logger

    /// A context of its own.
    public init(
        options: OperationOptions = OperationOptions(), progress: OperationProgress = OperationProgress(),
        logger: Logger = Logger(label: "FileProviders")
    ) {
        self.options = options
        self.progress = progress
        self.logger = logger
    }
}
