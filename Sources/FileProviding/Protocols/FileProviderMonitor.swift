/// A provider that tells of changes as they happen.
public protocol FileProviderMonitor: FileProviderBasic {
    /// Changes to the entries of the directory `path`, and with `recursive` of everything below it, also in directories
    /// that come later. Watching has begun when this returns; it ends when the iteration does.
    ///
    /// - Throws: `.fileReadNoSuchFile` for a missing directory.
    func changes(path: ItemPath, recursive: Bool) async throws -> FileChanges
}

/// One change.
public enum FileChange: Hashable, Sendable, Codable {
    /// Something new is at this path.
    case created(ItemPath)
    /// Contents or attributes changed.
    case modified(ItemPath)
    /// What was there is gone.
    case removed(ItemPath)
    /// An item has another path now.
    case moved(from: ItemPath, to: ItemPath)
    /// Changes were lost: look at everything below this path again.
    case rescan(ItemPath)
}

/// Changes as they happen, buffered until they are pulled.
public typealias FileChanges = AsyncThrowingStream<FileChange, any Error>
