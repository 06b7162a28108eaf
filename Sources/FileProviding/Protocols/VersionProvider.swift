/// A provider that keeps earlier versions of files.
public protocol VersionProvider: FileProviderReadWrite {
    /// Returns the earlier versions of a file, newest first, without the current one.
    func versions(path: ItemPath) async throws -> [FileVersionRecord]
    /// Opens an earlier version for reading.
    func read(_ version: FileVersionRecord, of path: ItemPath, in context: OperationContext) async throws
        -> FileContents
    /// Makes an earlier version the current one; the version that was current becomes an earlier one.
    func restore(_ version: FileVersionRecord, of path: ItemPath) async throws
}

/// An earlier version of a file.
public struct FileVersionRecord: Hashable, Sendable, Codable, Identifiable {
    /// The storage's own identifier of the version.
    public var id: String
    /// The size in bytes.
    public var size: Int64?
    /// When this version was written.
    public var modificationTime: FileTime?

    /// Creates a version as the storage describes it.
    public init(id: String, size: Int64? = nil, modificationTime: FileTime? = nil) {
        self.id = id
        self.size = size
        self.modificationTime = modificationTime
    }
}
