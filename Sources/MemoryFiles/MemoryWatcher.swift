import FileProviding

/// A watcher that is notified of changes below a directory.
struct MemoryWatcher: Sendable {
    let directory: ItemPath
    let isRecursive: Bool
    let continuation: FileChanges.Continuation

    /// Forwards a change as seen from the directory: a move across its border is a creation or a removal.
    ///
    /// - Returns: whether the directory is still there; its own removal is the last change.
    func tell(_ change: FileChange) -> Bool {
        if case .removed(let path) = change, directory.isInside(path) { return end() }
        if case .moved(let path, to: _) = change, directory.isInside(path) { return end() }
        switch change {
        case .created(let path), .modified(let path), .removed(let path), .rescan(let path):
            if isWatched(path) { continuation.yield(change) }
        case .moved(let source, let destination):
            switch (isWatched(source), isWatched(destination)) {
            case (true, true): continuation.yield(change)
            case (true, false): continuation.yield(.removed(source))
            case (false, true): continuation.yield(.created(destination))
            case (false, false): break
            }
        }
        return true
    }

    /// Runs under the store's lock, which ending the stream must not ask for again.
    private func end() -> Bool {
        continuation.yield(.removed(directory))
        continuation.onTermination = nil
        continuation.finish()
        return false
    }

    private func isWatched(_ path: ItemPath) -> Bool {
        isRecursive ? path != directory && path.isInside(directory) : path.parent == directory
    }
}
