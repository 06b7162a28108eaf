/// A provider whose files can be read and written, as streams.
public protocol FileProviderReadWrite: FileProviderBasic {
    /// Opens a file for reading, in chunks of 1 byte to 4 MiB.
    ///
    /// A range that goes beyond the end is clipped; one that begins at or after the end is empty. The reply's status is
    /// checked before the first byte is handed out: an error page is never mistaken for contents, nor a whole file for
    /// the requested range.
    ///
    /// The caller counts the chunks: reading leaves the context's progress alone. When the task is cancelled, the chunk
    /// that it awaits is not delivered; ending the iteration releases what the contents hold, such as a connection.
    ///
    /// - Throws: `.fileReadNoSuchFile`; "is a directory" (`POSIXError.EISDIR` underlying); for an invalid range, as
    ///   ``ByteRange/validate(path:)``; "has changed" (`POSIXError.ESTALE`) when `options.expecting` is another
    ///   version.
    func read(path: ItemPath, range: ByteRange, in context: OperationContext) async throws -> FileContents

    /// Writes a whole file and returns its attributes, as far as they are known without another request.
    ///
    /// The file appears under its name complete or not at all, and an old file stays until the new one takes its place.
    ///
    /// The context's progress has the source's length as its total, if it is known, and counts bytes that are stored or
    /// sent; an attempt that begins anew leaves it where it was (``OperationProgress/raise(to:)``). When the task is
    /// cancelled, this throws `CancellationError` soon, and leaves nothing of the new file behind; when the last step
    /// has been taken by then, it may return.
    ///
    /// - Throws: `.fileWriteFileExists` for an existing item without `options.overwrite`, also when two writers race,
    ///   unless the server itself first checks and then renames (most WebDAV servers, some SFTP servers); "has changed"
    ///   when `options.expecting` is another version than the one about to be replaced; "is a directory";
    ///   `.fileNoSuchFile` for a missing parent, unless `options.createsParents`; what `source` throws;
    ///   `.fileWriteUnknown` when it gives more or fewer bytes than its length says.
    func write(path: ItemPath, from source: ByteStream, in context: OperationContext) async throws -> FileObject

    // MARK: Requirements with a default

    /// Reads a range into an open local file, beginning at `offset` in that file: the fast path of a download.
    ///
    /// The default pulls chunks and writes them; a provider with a thread of its own writes on that thread. Bytes are
    /// written in order, and the context's progress counts those that are in the file, from the range's first one on:
    /// what an interruption leaves has no gaps, and is continued after the bytes that were counted.
    func read(
        path: ItemPath, range: ByteRange, into file: LocalFileHandle, at offset: Int64, in context: OperationContext
    ) async throws -> FileContents.Head
}

extension FileProviderReadWrite {
    /// Pulls chunks and writes them.
    public func read(
        path: ItemPath, range: ByteRange, into file: LocalFileHandle, at offset: Int64, in context: OperationContext
    ) async throws -> FileContents.Head {
        try await defaultRead(path: path, range: range, into: file, at: offset, in: context)
    }
}
