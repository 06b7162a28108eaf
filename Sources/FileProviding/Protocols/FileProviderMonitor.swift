/// A provider that reports changes as they happen.
public protocol FileProviderMonitor: FileProviderBasic {
    /// Returns the changes to the entries of the directory `path` and, with `recursive`, to everything below it, also
    /// in directories created later. Watching has begun when this returns; it ends when the iteration does.
    ///
    /// - Throws: `.fileReadNoSuchFile` for a missing directory.
    func changes(path: ItemPath, recursive: Bool) async throws -> FileChanges
}

/// One change in a watched directory.
public enum FileChange: Hashable, Sendable, Codable {
    /// A new item is at this path.
    case created(ItemPath)
    /// An item's contents or attributes changed.
    case modified(ItemPath)
    /// The item at this path is gone.
    case removed(ItemPath)
    /// An item was moved or renamed.
    case moved(from: ItemPath, to: ItemPath)
    /// Changes were lost: list everything below this path again.
    case rescan(ItemPath)
}

/// Changes as they happen, kept until they are pulled; ``FileChangeSink`` makes them, and keeps no more than it should.
public typealias FileChanges = AsyncThrowingStream<FileChange, any Error>
