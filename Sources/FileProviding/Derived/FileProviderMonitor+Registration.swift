extension FileProviderMonitor {
    /// Calls `eventHandler` on the context's queue after changes in `path` or below it, until the path is unregistered
    /// or the provider's context is released. Registering the same path again replaces the first registration.
    ///
    /// - Throws: what ``changes(path:recursive:)`` throws; nothing is registered then.
    public func registerNotification(
        path: ItemPath, eventHandler: @escaping @Sendable (FileChange) -> Void
    ) async throws {
        let changes = try await changes(path: path, recursive: true)
        let queue = context.dispatchQueue
        let task = Task {
            do {
                for try await change in changes { queue.async { eventHandler(change) } }
            } catch {
                queue.async { eventHandler(.rescan(path)) }
            }
        }
        context.replaceMonitor(at: path, with: task)?.cancel()
    }

    /// Ends the notifications about `path`.
    public func unregisterNotification(path: ItemPath) {
        context.replaceMonitor(at: path, with: nil)?.cancel()
    }

    /// Returns whether `path` is registered.
    public func isRegisteredForNotification(path: ItemPath) -> Bool { context.hasMonitor(at: path) }
}
