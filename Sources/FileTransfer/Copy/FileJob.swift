import FileProviding

/// One file, link or whole directory to be copied.
struct FileJob: Sendable {
    /// The item to copy.
    var source: TransferEndpoint
    /// The path of the copy.
    var target: TransferEndpoint
    /// The source as it was listed.
    var item: FileObject
    /// The item at the target, if there is one.
    var existing: FileObject?
    /// Decides once the bytes of both ends have been compared, if nothing else tells whether they are the same.
    var judge: Judge?

    /// The number of bytes to send, as far as known.
    var size: Int64 { item.isRegularFile ? item.size ?? 0 : 0 }

    /// Whether a file that replaces another is verified first, under a temporary name next to it.
    func isMadeSureOfFirst(_ options: TransferOptions) -> Bool {
        existing != nil && [.hash, .readback].contains(options.verification)
    }

    /// Whether there is a directory where a file is to go, or a file or link where a directory is to go.
    var isObstructed: Bool { existing.map { $0.isDirectory != item.isDirectory } ?? false }
}
