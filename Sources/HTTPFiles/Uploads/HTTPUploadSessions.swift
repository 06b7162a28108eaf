import FileProviding
import Foundation

/// A provider whose server takes a file in parts, in an upload session: define what the steps look like, and uploads
/// continue after an interruption, even a restart of the program.
///
/// A session begins, takes the file's bytes in order, part by part, and is committed; the server can be asked how many
/// bytes it holds. Three hooks have no default:
///
/// ```swift
/// extension NotesProvider: HTTPUploadSessions {
///     func uploadRequest(_ step: HTTPUploadStep, path: ItemPath, options: OperationOptions) throws -> HTTPRequest {
///         switch step {
///         case .begin(let length): HTTPRequest(.post, uploads(path, length))
///         case .part(let session, let range, _): HTTPRequest(.patch, upload(session, at: range.lowerBound))
///         …
///     func uploadSession(response: HTTPResponse, data: Data) throws -> String { … }
///     func uploadOffset(response: HTTPResponse, data: Data) throws -> Int64 { … }
/// }
/// ```
///
/// `FileProviderPartialWrite` is derived from them: parts of bounded size, the request for what arrived after a failure
/// and before continuing, the handling of lost replies, and the state to save. Nothing is under the file's name before
/// the commit.
///
/// The replies to parts are not kept: a server whose commit has to list something of each part, as S3 does, needs a
/// `FileProviderPartialWrite` of its own.
public protocol HTTPUploadSessions: HTTPFileProvider, FileProviderPartialWrite {
    /// Returns the request for a step. The base adds a part's bytes, and `If-Match` where a version is expected.
    ///
    /// If the session's name is an address that is itself a credential, set `hidesURL` and `sendsCredential`
    /// accordingly; errors then do not show it.
    ///
    /// - Parameters:
    ///   - step: what is to be done.
    ///   - path: the file's final path.
    ///   - options: whether an existing file may be replaced, and the new one's attributes; for `.begin` and `.commit`.
    func uploadRequest(_ step: HTTPUploadStep, path: ItemPath, options: OperationOptions) throws -> HTTPRequest

    /// Returns the new session's name, an identifier or an address, from the reply to `.begin`.
    func uploadSession(response: HTTPResponse, data: Data) throws -> String

    /// Returns the number of bytes from the file's start that the server holds, from a successful reply to `.status`.
    ///
    /// It is not called for a refusal with 403, 404 or 410, which means that the server has forgotten the session.
    func uploadOffset(response: HTTPResponse, data: Data) throws -> Int64

    // MARK: Requirements with a default

    /// How many bytes from the file's start the server holds, from a successful reply to `.part`. `nil`, the default,
    /// where such a reply does not say so: then the server holds the whole part.
    func uploadOffset(afterPart response: HTTPResponse) -> Int64?

    /// The most bytes that one request carries, and so the most that an interruption can cost: at least 1; 8 MiB by
    /// default. Bytes that are not in a local file are held in memory, one part at a time, and at most 1 GiB of them.
    var uploadPartLength: Int64 { get }

    /// Whether the last byte completes the file under its name without a further request, as in TUS. That byte is then
    /// held back until the commit, the length has to be known, and there is no `.commit` request. `false` by default.
    var uploadEndsWithLastByte: Bool { get }
}

/// A step of an upload session.
public enum HTTPUploadStep: Sendable, Hashable {
    /// Begins a session for a file of this many bytes, if the number is known.
    case begin(length: Int64?)
    /// Asks how many bytes the server holds.
    case status(session: String)
    /// Sends these bytes of the file.
    case part(session: String, range: Range<Int64>, length: Int64?)
    /// Puts the file under its name, atomically.
    case commit(session: String)
    /// Removes what was sent.
    case abort(session: String)
}

extension HTTPUploadSessions {
    /// The default: 8 MiB.
    public var uploadPartLength: Int64 { 8 << 20 }

    /// The whole part.
    public func uploadOffset(afterPart response: HTTPResponse) -> Int64? { nil }

    /// The default: `false`.
    public var uploadEndsWithLastByte: Bool { false }

    /// Begins a session, or continues one that the server still knows.
    ///
    /// - Throws: `.featureUnsupported` for a file of unknown length where its last byte completes it.
    public func beginPartialWrite(
        path: ItemPath, length: Int64?, resuming state: ResumableUpload.State?, in context: OperationContext
    ) async throws -> any ResumableUpload {
        try await beginUploadSession(path: path, length: length, resuming: state, in: context)
    }

    /// Does what ``beginPartialWrite(path:length:resuming:in:)`` does by default, for a provider that has several ways.
    package func beginUploadSession(
        path: ItemPath, length: Int64?, resuming state: ResumableUpload.State?, in context: OperationContext
    ) async throws -> HTTPUpload<Self> {
        try checkWritable(path)
        if length == nil, uploadEndsWithLastByte {
            throw FileError.unsupported(path, "this server needs a file's length beforehand")
        }
        try await prepare()
        let saved = state.flatMap { try? JSONDecoder().decode(HTTPUpload<Self>.Saved.self, from: $0) }
        if let saved, saved.path == path, saved.length == length,
            let upload = try await HTTPUpload(resuming: saved, self)
        {
            return upload
        }
        return try await HTTPUpload(path, length: length, self, in: context)
    }
}
