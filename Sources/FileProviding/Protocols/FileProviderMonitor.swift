/// A provider that reports changes as they happen.
public protocol FileProviderMonitor: FileProviderBasic {
    /// Returns the changes to the entries of the directory `path` and, with `recursive`, to everything below it, also
    /// in directories created later. Watching has begun when this returns; it ends when the iteration does.
    ///
    /// - Throws: `.fileReadNoSuchFile` for a missing directory.
    func changes(path: ItemPath, recursive: Bool) async throws -> FileChanges
}

/// One change in a watched directory.
///
/// A directory that appears with everything in it, by a copy or a move from elsewhere, may be reported alone, and so
/// may one that goes: what is below it is the receiver's to list or to forget.
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

extension FileChange: CustomStringConvertible {
    /// What has happened, and where: `moved /a to /b`.
    public var description: String {
        switch self {
        case .created(let path): "created \(path)"
        case .modified(let path): "modified \(path)"
        case .removed(let path): "removed \(path)"
        case .moved(let from, let to): "moved \(from) to \(to)"
        case .rescan(let path): "rescan \(path)"
        }
    }
}

/// Changes as they happen, kept until they are pulled; ``FileChangeSink`` makes them, and keeps no more than it should.
public typealias FileChanges = AsyncThrowingStream<FileChange, any Error>
