import Foundation

extension FileProviderMonitor {
    /// Calls `eventHandler` on the context's queue after changes in `path` or below it, until the path is unregistered
    /// or the provider's context is released; a handler that keeps the provider keeps its context too. Registering the
    /// same path again replaces the first registration. A call that has begun may still be running when the path is
    /// unregistered on another queue; none begins afterwards.
    ///
    /// When nothing more can be watched, for example because the directory is gone or access was withdrawn, the handler
    /// is called with ``FileChange/rescan(_:)`` a last time, and the path is no longer registered.
    ///
    /// - Throws: what ``changes(path:recursive:)`` throws; nothing is registered then.
    public func registerNotification(
        path: ItemPath, eventHandler: @escaping @Sendable (FileChange) -> Void
    ) async throws {
        let changes = try await changes(path: path, recursive: true)
        let (queue, number) = (context.dispatchQueue, UUID())
        let (registered, registration) = AsyncStream.makeStream(of: Void.self)
        let task = Task { [weak context] in
            for await _ in registered {}
            do {
                for try await change in changes {
                    queue.async { [weak context] in
                        if context?.hasMonitor(at: path, number) ?? false { eventHandler(change) }
                    }
                }
            } catch {}
            queue.async { [weak context] in
                if context?.removeMonitor(at: path, number) ?? false { eventHandler(.rescan(path)) }
            }
        }
        context.replaceMonitor(at: path, with: (number, task))?.cancel()
        registration.finish()
    }

    /// Ends the notifications about `path`.
    public func unregisterNotification(path: ItemPath) {
        context.replaceMonitor(at: path, with: nil)?.cancel()
    }

    /// Returns whether `path` is registered.
    public func isRegisteredForNotification(path: ItemPath) -> Bool { context.hasMonitor(at: path) }
}
