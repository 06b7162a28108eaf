import FileProviding
import Foundation

/// A provider over HTTP: say what the requests look like and how replies read, and the rest is done.
///
/// Six hooks have no default; a forgotten one does not compile. From them come listing page by page as bytes arrive,
/// attributes, streaming reads with ranges (also from servers that ignore them), writes, downloads written on the
/// transport's thread, copies, moves and removals, errors and every callback form.
///
/// ```swift
/// struct NotesProvider: HTTPFileProvider {
///     func request(for operation: FileOperationType, overwrite: Bool, attributes: ItemAttributes) throws -> HTTPRequest {
///         switch operation {
///         case .fetch(let path): HTTPRequest(.get, url(of: path))
///         case .modify(let path): HTTPRequest(.put, url(of: path), headers: overwrite ? [:] : ["If-None-Match": "*"])
///         …
/// ```
///
/// What a server does differently is overridden where it differs: `write(path:from:in:)` for one that
/// cannot replace a file atomically, `perform` for one whose operations take several requests. `Examples/CustomProvider` is
/// a complete provider in under 150 lines.
public protocol HTTPFileProvider: FileProvider, FileProviderBasicRemote, FileProviderServerTrust,
    FileProviderRedirection
where Session == HTTPSession, Cache == HTTPResponseCache {
    /// The request that does an operation. The base adds body, range and conditions; the session adds authorization.
    ///
    /// It is asked for `.fetch` and `.modify` (read and write a file), `.create`, `.copy`, `.move`, `.remove` and `.link`;
    /// never for `.upload` and `.download`, which are reads and writes to the server.
    ///
    /// After a lost reply the base sends again what reads, and writes without `If-None-Match` and `If-Match`, where the
    /// request's `isSafeToRepeat` allows it. Nothing else: a second one would be refused by the success of the first, or meet
    /// what somebody else has put there since.
    ///
    /// - Parameters:
    ///   - operation: what to do.
    ///   - overwrite: whether an existing destination may be replaced; if not, make the request conditional.
    ///   - attributes: what a written file is to carry.
    /// - Throws: `FileError.unsupported` for an operation that the server does not have.
    func request(for operation: FileOperationType, overwrite: Bool, attributes: ItemAttributes) throws -> HTTPRequest

    /// The server's refusal as an error, from the reply's status and the beginning of its body.
    func serverError(with status: Int, path: String, data: Data?) -> any FileProviderHTTPError

    /// The request for one item's attributes.
    func attributesRequest(path: ItemPath) throws -> HTTPRequest

    /// One item's attributes from the reply to ``attributesRequest(path:)``.
    func attributes(of path: ItemPath, response: HTTPResponse, data: Data) throws -> FileObject

    /// The request for a page of a directory; `token` is `nil` for the first page, else what the decoder gave.
    func pageRequest(path: ItemPath, token: String?) throws -> HTTPRequest

    /// A decoder for one page of the directory.
    func pageDecoder(path: ItemPath) -> any HTTPPageDecoder

    // MARK: Requirements with a default

    /// Finds out what has to be known before an operation's first request can be built, such as where an account's files
    /// are. Asked before each one, so remember the answer. Does nothing by default.
    func prepare() async throws

    /// What a reply that is no success means for the person: a missing file, a lack of permission, or
    /// ``serverError(with:path:data:)``. It may ask the server further. A listing is a `.fetch` of a path that names a
    /// directory.
    func fileError(for response: HTTPResponse, data: Data, operation: FileOperationType) async -> any Error

    /// Looks at the head of a reply with contents, for servers that answer a directory with a page. Does nothing by default.
    func confirmContents(of path: ItemPath, response: HTTPResponse) async throws

    /// What a reply to a write tells of the written file. By default the path, size and `ETag`.
    func writtenItem(path: ItemPath, size: Int64?, response: HTTPResponse) -> FileObject
}

/// Reads a page of a directory as its bytes arrive.
public protocol HTTPPageDecoder: Sendable {
    /// Looks at the head of the reply, once and before any of its bytes: its type, and the link to a further page that some
    /// servers put there (RFC 8288). Does nothing by default.
    mutating func begin(_ response: HTTPResponse) throws

    /// Takes the next bytes; returns the entries that are complete now.
    ///
    /// - Throws: `URLError(.cannotParseResponse)` for a reply that is not a page, such as a login form.
    mutating func consume(_ bytes: Data) throws -> [FileObject]

    /// Says that the reply is complete; returns what was left, and the token of the next page or `nil`.
    mutating func finish() throws -> (entries: [FileObject], nextToken: String?)
}

extension HTTPPageDecoder {
    /// Looks at nothing.
    public func begin(_ response: HTTPResponse) throws {}
}

extension HTTPFileProvider {
    /// The session's, where its `cachePolicy` keeps replies.
    public var cache: HTTPResponseCache? { useCache ? session.cache : nil }

    /// Whether the session's `cachePolicy` keeps replies.
    public var useCache: Bool { session.configuration.cachePolicy != .none }

    /// Whether the session's `cachePolicy` asks the server before a kept reply is used.
    public var validatingCache: Bool { session.configuration.cachePolicy != .unvalidated }

    /// Whose name the session speaks in.
    public var credential: Credential? { session.credential }

    /// The session's.
    public var trustDecider: (any ServerTrustDeciding)? {
        get { session.trustDecider }
        nonmutating set { session.trustDecider = newValue }
    }

    /// What the session has been told by requests for the item itself.
    public func permanentRedirection(of path: ItemPath) -> URL? { session.permanentRedirection(of: url(of: path)) }

    /// Sends a request and returns its reply, or throws what a reply without success means.
    ///
    /// The one place through which requests that belong to an operation pass.
    @discardableResult
    public func send(
        _ request: HTTPRequest, for operation: FileOperationType, progress: (@Sendable (Int64) -> Void)? = nil
    ) async throws -> (HTTPResponse, Data) {
        let (response, data) = try await session.data(for: request, progress: progress)
        guard response.isSuccess else { throw await fileError(for: response, data: data, operation: operation) }
        return (response, data)
    }

    /// By status, as ``HTTPStatusMeaning`` says.
    public func fileError(for response: HTTPResponse, data: Data, operation: FileOperationType) async -> any Error {
        HTTPStatusMeaning.error(
            for: response, operation: operation,
            server: serverError(with: response.status, path: operation.source, data: data))
    }

    /// Nothing to find out.
    public func prepare() async throws {}

    /// Nothing to confirm.
    public func confirmContents(of path: ItemPath, response: HTTPResponse) async throws {}

    /// The path, size and `ETag`.
    public func writtenItem(path: ItemPath, size: Int64?, response: HTTPResponse) -> FileObject {
        var file = FileObject(path: path, type: .regular)
        file.size = size
        file.etag = response.headers["ETag"].map(ETag.init(rawValue:))
        return file
    }

    /// One request for one item.
    public func attributesOfItem(path: ItemPath) async throws -> FileObject {
        try await prepare()
        let (response, data): (HTTPResponse, Data)
        do {
            (response, data) = try await send(attributesRequest(path: path), for: .fetch(path))
        } catch  where error.isNotADirectory && path.namesDirectory {
            throw FileError.noSuchFile(path)
        }
        let file = try attributes(of: path, response: response, data: data)
        if path.namesDirectory, !file.isDirectory { throw FileError.noSuchFile(path) }
        return file
    }
}
