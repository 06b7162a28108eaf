import Dispatch

/// Receives the changes that a monitor notices, from any thread.
///
/// The buffer is bounded: when ``limit`` changes are waiting, the last of them is a `rescan` of the watched directory,
/// and later ones are dropped, because whoever receives the `rescan` looks at everything afterwards.
public struct FileChangeSink: Sendable {
    /// The most changes that are waiting at a time.
    public static let limit = 4096

    private let directory: ItemPath
    private let continuation: FileChanges.Continuation

    /// Returns the changes in a directory, and where to put them.
    ///
    /// - Parameters:
    ///   - directory: what a `rescan` is about.
    ///   - stop: called on some thread, soon after the changes are no longer pulled; not after ``finish(throwing:)``.
    public static func make(
        watching directory: ItemPath, onStop stop: @escaping @Sendable () -> Void
    ) -> (changes: FileChanges, sink: FileChangeSink) {
        let (changes, continuation) = FileChanges.makeStream(bufferingPolicy: .bufferingOldest(limit))
        // Not in the cancellation itself: while that runs, a change that is added waits for it, perhaps under the lock
        // that `stop` needs.
        continuation.onTermination = { _ in DispatchQueue.global().async(execute: stop) }
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
