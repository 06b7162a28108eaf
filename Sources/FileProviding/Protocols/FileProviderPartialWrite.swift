import Foundation

/// A provider that can take a file in parts and continue after an interruption, even a restart of the program.
public protocol FileProviderPartialWrite: FileProviderReadWrite {
    /// Begins a file, or continues one from the state that an earlier ``ResumableUpload`` left.
    ///
    /// - Parameters:
    ///   - path: the file's final path.
    ///   - length: the file's total size, if known; some servers require it.
    ///   - state: an earlier upload's state; one that is no longer valid begins again, which shows in `acknowledged`
    ///     being 0.
    ///   - context: the options, among them whether a file may be replaced, which some providers look at before they
    ///     take any bytes; and the progress.
    /// - Throws: `.featureUnsupported` when this server cannot do it, before any byte is sent.
    func beginPartialWrite(
        path: ItemPath, length: Int64?, resuming state: ResumableUpload.State?, in context: OperationContext
    ) async throws -> any ResumableUpload
}

/// A file that is being uploaded: nothing is under the final name before ``commit(in:)``.
public protocol ResumableUpload: Sendable {
    /// Enough to continue later. It may hold secrets (upload URLs), so keep it private (mode 0600).
    typealias State = Data

    /// The number of bytes from the file's start that the storage is certain to hold.
    var acknowledged: Int64 { get }

    /// The open local file that takes the bytes, for a source that can write to it directly and then calls
    /// ``acknowledge(upTo:)``.
    var localFile: LocalFileHandle? { get }

    /// Sends the file's bytes from ``acknowledged`` on.
    func append(_ bytes: ByteStream, in context: OperationContext) async throws

    /// Reports that the bytes before `offset` are in ``localFile``.
    func acknowledge(upTo offset: Int64) async throws

    /// Puts the complete file under its final name, applying `options.overwrite`, `expecting` and `attributes` as a
    /// write does.
    func commit(in context: OperationContext) async throws -> FileObject

    /// Makes all bytes that are ``acknowledged`` now outlive the program, which is not guaranteed before, and returns
    /// the state that is needed to continue from there.
    ///
    /// - Throws: when that is not possible; the upload itself can continue.
    func saveState() throws -> State

    /// Removes everything that was sent.
    func abort() async throws
}

extension ResumableUpload {
    /// Returns how many bytes of a local file to send before checking what is acknowledged: 8 MiB, or a 32nd of a large
    /// file, since some servers read all that they have of it for each request (sabre/dav).
    package static func partLength(ofFile length: Int64) -> Int64 { max(8 << 20, length / 32) }

    /// The default: none.
    public var localFile: LocalFileHandle? { nil }
    /// Does nothing.
    public func acknowledge(upTo offset: Int64) async throws {}
}
