import FileProviding

/// A watcher that is notified of changes below a directory.
struct MemoryWatcher: Sendable {
    let directory: ItemPath
    let isRecursive: Bool
    let sink: FileChangeSink

    /// Forwards a change as seen from the directory: a move across its border is a creation or a removal.
    ///
    /// - Returns: whether the directory is still there; its own removal is the last change.
    func tell(_ change: FileChange) -> Bool {
        if case .removed(let path) = change, directory.isInside(path) { return end() }
        if case .moved(let path, to: _) = change, directory.isInside(path) { return end() }
        switch change {
        case .created(let path), .modified(let path), .removed(let path), .rescan(let path):
            if isWatched(path) { sink.add(change) }
        case .moved(let source, let destination):
            switch (isWatched(source), isWatched(destination)) {
            case (true, true): sink.add(change)
            case (true, false): sink.add(.removed(source))
            case (false, true): sink.add(.created(destination))
            case (false, false): break
            }
        }
        return true
    }

    private func end() -> Bool {
        sink.add(.removed(directory))
        sink.finish()
        return false
    }

    private func isWatched(_ path: ItemPath) -> Bool {
        isRecursive ? path != directory && path.isInside(directory) : path.parent == directory
    }
}
