/// A provider whose files can be opened directly on this machine, which gives transfers a fast path.
public protocol FileProviderLocalAccess: FileProviderReadWrite {
    /// Opens a regular file for reading. Throws as ``FileProviderReadWrite/read(path:range:in:)`` does.
    func openLocalFile(path: ItemPath) async throws -> LocalFileHandle
}
