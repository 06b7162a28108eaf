/// A provider whose files are open to this machine's kernel, so that a transfer can take the short way.
public protocol FileProviderLocalAccess: FileProviderReadWrite {
    /// Opens a regular file for reading. Throws as ``FileProviderReadWrite/read(path:range:in:)`` does.
    func openLocalFile(path: ItemPath) async throws -> LocalFileHandle
}
