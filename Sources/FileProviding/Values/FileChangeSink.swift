/// Where a monitor puts the changes that it notices, of any thread.
///
/// What nobody pulls does not grow without end: the last of ``limit`` changes that wait is a `rescan` of the watched
/// directory, and those that come while it waits are dropped, since whoever pulls it looks at everything afterwards.
public struct FileChangeSink: Sendable {
    /// The most changes that wait.
    public static let limit = 4096

    private let directory: ItemPath
    private let continuation: FileChanges.Continuation

    /// Returns the changes in a directory, and where to put them.
    ///
    /// - Parameters:
    ///   - directory: what a `rescan` is about.
    ///   - stop: called on any thread when nobody pulls them any more; not after ``finish(throwing:)``.
    public static func make(
        watching directory: ItemPath, onStop stop: @escaping @Sendable () -> Void
    ) -> (changes: FileChanges, sink: FileChangeSink) {
        let (changes, continuation) = FileChanges.makeStream(bufferingPolicy: .bufferingOldest(limit))
        continuation.onTermination = { _ in stop() }
        return (changes, FileChangeSink(directory: directory, continuation: continuation))
    }

    /// Adds a change.
    public func add(_ change: FileChange) {
        if case .enqueued(remaining: 1) = continuation.yield(change) { continuation.yield(.rescan(directory)) }
    }

    /// Ends the changes, after those that wait.
    ///
    /// - Parameter error: why; `nil` when there will be no more.
    public func finish(throwing error: (any Error)? = nil) {
        continuation.onTermination = nil
        continuation.finish(throwing: error)
    }
}
