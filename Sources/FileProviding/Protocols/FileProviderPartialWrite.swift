import Foundation

/// A provider that can take a file in parts and continue after an interruption, even of the whole program.
public protocol FileProviderPartialWrite: FileProviderReadWrite {
    /// Begins a file, or continues one from the state that an earlier ``ResumableUpload`` left.
    ///
    /// - Parameters:
    ///   - path: what the file becomes.
    ///   - length: the file's whole size, if known; some servers insist.
    ///   - state: an earlier upload's state; one that no longer holds begins anew, which shows in `acknowledged` being 0.
    ///   - context: options, and where to count; the progress begins at what is acknowledged.
    /// - Throws: `.featureUnsupported` when this server cannot do it, before any byte is sent.
    func beginPartialWrite(
        path: ItemPath, length: Int64?, resuming state: ResumableUpload.State?, in context: OperationContext
    ) async throws -> any ResumableUpload
}

/// A file on its way: nothing is under the final name before ``commit(in:)``.
public protocol ResumableUpload: Sendable {
    /// Enough to continue later; may hold secrets (upload URLs), so keep it private (mode 0600).
    typealias State = Data

    /// How many bytes from the file's start the storage holds for certain.
    var acknowledged: Int64 { get }

    /// The open local file that takes the bytes, for a source that can write to it directly; then tell ``acknowledge(upTo:)``.
    var localFile: LocalFileHandle? { get }

    /// Sends the file's bytes from ``acknowledged`` on.
    func append(_ bytes: ByteStream, in context: OperationContext) async throws

    /// Says that the bytes before `offset` are in ``localFile``.
    func acknowledge(upTo offset: Int64) async throws

    /// Puts the complete file under its final name, with `options.overwrite` and `attributes` as in a write.
    func commit(in context: OperationContext) async throws -> FileObject

    /// Makes everything that is ``acknowledged`` by now outlive the program, which it need not before, and returns what is
    /// needed to continue from there.
    ///
    /// - Throws: when that is not possible; the upload itself can go on.
    func saveState() throws -> State

    /// Takes away everything that was sent.
    func abort() async throws
}

extension ResumableUpload {
    /// How many bytes of a local file to send between two looks at what is acknowledged: 8 MiB, or a 32nd of a large file,
    /// since some servers read all that they have of it for each request (sabre/dav).
    package static func partLength(ofFile length: Int64) -> Int64 { max(8 << 20, length / 32) }

    /// None.
    public var localFile: LocalFileHandle? { nil }
    /// Nothing to note.
    public func acknowledge(upTo offset: Int64) async throws {}
}
