import FileProviding

/// A delegate that records its notifications, and answers as it was configured to.
final class RecordingDelegate: FileProviderDelegate, FileOperationDelegate {
    /// A notification of the delegate.
    enum Event: Sendable, Hashable {
        case succeeded(FileOperationType)
        case failed(FileOperationType, wasVetoed: Bool)
        case progressed(FileOperationType, Float)
    }

    private let recorded = Locked<[Event]>([])
    private let allows: Bool
    private let passesOverErrors: Bool

    init(allows: Bool = true, passesOverErrors: Bool = false) {
        self.allows = allows
        self.passesOverErrors = passesOverErrors
    }

    var events: [Event] { recorded.withLock { $0 } }

    /// The events about the ends of operations, without progress.
    var ends: [Event] { events.filter { if case .progressed = $0 { false } else { true } } }

    func fileproviderSucceed(_ fileProvider: any FileProviderOperations, operation: FileOperationType) {
        recorded.withLock { $0.append(.succeeded(operation)) }
    }

    func fileproviderFailed(
        _ fileProvider: any FileProviderOperations, operation: FileOperationType, error: any Error
    ) {
        recorded.withLock { $0.append(.failed(operation, wasVetoed: ExpectedError.userCancelled.matches(error))) }
    }

    func fileproviderProgress(
        _ fileProvider: any FileProviderOperations, operation: FileOperationType, progress: Float
    ) {
        recorded.withLock { $0.append(.progressed(operation, progress)) }
    }

    func fileProvider(
        _ fileProvider: any FileProviderOperations, shouldDoOperation operation: FileOperationType
    ) async -> Bool { allows }

    func fileProvider(
        _ fileProvider: any FileProviderOperations, shouldProceedAfterError error: any Error,
        operation: FileOperationType
    ) async -> Bool { passesOverErrors }
}
