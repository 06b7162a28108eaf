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
}
