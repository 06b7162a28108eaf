import FileProviding

/// Someone who is told of changes below a directory.
struct MemoryWatcher: Sendable {
    let directory: ItemPath
    let isRecursive: Bool
    let continuation: FileChanges.Continuation

    /// Hands on a change as far as it can be seen from the directory: a move across its border comes or goes.
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
