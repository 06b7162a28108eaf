import FileProviding

/// One file, link or whole directory to be copied.
struct FileJob: Sendable {
    /// What is copied.
    var source: TransferEndpoint
    /// What it becomes.
    var target: TransferEndpoint
    /// The source as it was listed.
    var item: FileObject
    /// What stands at the target, if anything does.
    var existing: FileObject?
    /// Who decides once the bytes of both ends have been compared, where nothing else tells whether they are the same.
    var judge: Judge?

    /// Bytes to be sent, as far as known.
    var size: Int64 { item.isRegularFile ? item.size ?? 0 : 0 }

    /// Whether a directory stands where a file is to go, or a file or link where a directory is.
    var isObstructed: Bool { existing.map { $0.isDirectory != item.isDirectory } ?? false }
}
