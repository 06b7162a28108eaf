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

    /// Bytes to be sent, as far as known.
    var size: Int64 { item.isRegularFile ? item.size ?? 0 : 0 }

    /// Whether a directory stands where a file is to go, or a file where a directory is; a link may lead to a directory.
    var isObstructed: Bool {
        guard let existing else { return false }
        return item.isDirectory ? existing.isRegularFile : existing.isDirectory
    }
}
