import FileProviding

/// A watcher that is notified of changes below a directory.
struct MemoryWatcher: Sendable {
    let directory: ItemPath
    let isRecursive: Bool
    let continuation: FileChanges.Continuation

    /// Forwards a change as seen from the directory: a move across its border is a creation or a removal.
    func tell(_ change: FileChange) {
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
    }

    private func isWatched(_ path: ItemPath) -> Bool {
        isRecursive ? path != directory && path.isInside(directory) : path.parent == directory
    }
}
