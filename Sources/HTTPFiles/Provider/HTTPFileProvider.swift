import FileProviding
import Foundation

/// A provider over HTTP: define what the requests look like and how replies are read, and the rest is derived.
///
/// Six hooks have no default; a forgotten one does not compile. From them derive listings page by page as bytes arrive,
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
/// Override what a server does differently: `write(path:from:in:)` for one that cannot replace a file atomically, with
/// ``defaultWrite(path:from:in:)`` for the other files; `perform` for one whose operations take several requests, with
/// ``performByRequests(_:in:)`` for the others; ``fileError(for:data:operation:)`` for one whose statuses mean something
/// else than ``HTTPStatusMeaning`` says, with ``defaultFileError(for:data:operation:)`` for the others. Define
/// ``confirmSuccess(of:response:data:)`` for one that says in the body of a 200 what went wrong.
///
/// A hook that reads a reply throws `URLError(.cannotParseResponse)` for one that it does not understand, such as a
/// login page: it then counts as a server that cannot be reached, not as a refusal. A `DecodingError` becomes that
/// error.
///
/// `Examples/CustomProvider` is a complete provider in one file of 150 lines.
public protocol HTTPFileProvider: FileProvider, FileProviderBasicRemote, FileProviderServerTrust,
    FileProviderRedirection
where Session == HTTPSession, Cache == HTTPResponseCache {
    /// Returns the request for an operation. The base adds body, range and conditions; the session adds authorization.
    ///
    /// It is called for `.fetch` and `.modify` (reading and writing a file), `.create`, `.copy`, `.move`, `.remove` and
    /// `.link`; never for `.upload` and `.download`, which are reads and writes to the server.
    ///
    /// If no reply comes, the base repeats requests that read, and writes without `If-None-Match` and `If-Match`, where
    /// the request's `isSafeToRepeat` allows it. It repeats nothing else: the success of the first request would make
    /// the second one fail, or the second one would affect what somebody else has put there in the meantime. A file
    /// whose bytes break off is an error; a transfer reads on from there.
    ///
    /// - Parameters:
    ///   - operation: what to do.
    ///   - overwrite: whether an existing destination may be replaced; if not, make the request conditional.
    ///   - attributes: the attributes of a written file.
    /// - Throws: `FileError.unsupported` for an operation that the server does not support.
    func request(for operation: FileOperationType, overwrite: Bool, attributes: ItemAttributes) throws -> HTTPRequest

    /// Returns the server's refusal as an error, from the reply's status and the beginning of its body.
    func serverError(with status: Int, path: String, data: Data?) -> any FileProviderHTTPError

    /// Returns the request for one item's attributes.
    func attributesRequest(path: ItemPath) throws -> HTTPRequest

    /// Returns one item's attributes from the reply to ``attributesRequest(path:)``.
    func attributes(of path: ItemPath, response: HTTPResponse, data: Data) throws -> FileObject

    /// Returns the request for a page of a directory; `token` is `nil` for the first page, otherwise what the decoder
    /// returned. The base asks for compression.
    ///
    /// A page whose reply breaks off is requested again, with the same token and a new decoder, unless more than 32,768
    /// of its entries have been delivered; those that have been are left out. A further page that the server does not
    /// have (404, 410) is an error, not a missing directory.
    func pageRequest(path: ItemPath, token: String?) throws -> HTTPRequest

    /// Returns a decoder for one page of the directory.
    func pageDecoder(path: ItemPath) -> any HTTPPageDecoder

    // MARK: Requirements with a default

    /// Determines what has to be known before an operation's first request can be built, such as where an account's
    /// files are. Called before each operation and any other hook, so remember the answer. Does nothing by default.
    func prepare() async throws

    /// Resolves a path that is an identifier to the item's current path, if the server supports identifiers. Called
    /// before an item is looked up, read, listed, copied, moved or removed. By default no item has an identifier.
    ///
    /// - Throws: `.fileReadNoSuchFile` for an identifier that no item has.
    func located(_ path: ItemPath) async throws -> ItemPath

    /// Returns what an unsuccessful reply means for the user: a missing file, a lack of permission, or
    /// ``serverError(with:path:data:)``. It may make further requests. A listing is a `.fetch` of a path that names a
    /// directory.
    func fileError(for response: HTTPResponse, data: Data, operation: FileOperationType) async -> any Error

    /// Checks a successful reply that was received whole, for servers that report a failure in the body of one: throw
    /// what it stands for. Called for everything but files read, pages, and the state of an upload. Does nothing by
    /// default.
    func confirmSuccess(of operation: FileOperationType, response: HTTPResponse, data: Data) throws

    /// Checks the head of a reply with contents, for servers that answer a directory with a web page: before the first
    /// byte of a stream is delivered; after the bytes were written to an open file. Does nothing by default.
    func confirmContents(of path: ItemPath, response: HTTPResponse) async throws

    /// Returns which version of the file a reply has the contents of. By default its `ETag` and `Last-Modified`: define
    /// it for a server that tells times more precisely, so that a download keeps them. Sizes are read from the reply.
    /// May be called on the transport's thread: it must not wait for anything.
    func contentsVersion(response: HTTPResponse) -> FileVersion

    /// Returns what a reply to a write reports about the written file. By default the path, size, `ETag` and `Date`.
    func writtenItem(path: ItemPath, size: Int64?, response: HTTPResponse, data: Data) throws -> FileObject

    /// Returns whether the server refuses this operation, `.modify` or `.remove`, if the item does not have the tag of
    /// the request's `If-Match` (RFC 9110, section 13.1.1). By default it does not, as many APIs: an item that has to
    /// be of a particular version is then looked up first, and what somebody else writes between that look and the end
    /// of the request is lost. If you can change the server, let it honor `If-Match`.
    func honorsIfMatch(for operation: FileOperationType) -> Bool

    /// Whether the server has to be told a file's length before its bytes, as one that answers 411 (RFC 9110, section
    /// 15.5.12). If so, the base collects a stream of unknown length in a temporary file. `false` by default.
    var needsLength: Bool { get }
}

/// A decoder that reads a page of a directory as its bytes arrive. ``HTTPWholePageDecoder`` is one for small pages of
/// JSON.
///
/// An entry for the directory itself, as some servers list it among its members, is left out by the base.
public protocol HTTPPageDecoder: Sendable {
    /// Reads the head of the reply, once and before any of its bytes: its type, and the link to a further page that
    /// some servers put there (``HTTPResponse/nextPage()``). Does nothing by default.
    mutating func begin(_ response: HTTPResponse) throws

    /// Consumes the next bytes; returns the entries that are complete now.
    ///
    /// - Throws: `URLError(.cannotParseResponse)` for a reply that is not a page, such as a login form.
    mutating func consume(_ bytes: Data) throws -> [FileObject]

    /// Finishes the reply; returns the remaining entries, and the token of the next page: `nil` after the last one,
    /// since any other token is asked for. One that comes twice ends the listing with `.fileReadCorruptFile`.
    mutating func finish() throws -> (entries: [FileObject], nextToken: String?)
}

extension HTTPPageDecoder {
    /// Does nothing.
    public func begin(_ response: HTTPResponse) throws {}
}

extension HTTPFileProvider {
    /// The session's cache, if its `cachePolicy` keeps replies.
    public var cache: HTTPResponseCache? { useCache ? session.cache : nil }

    /// Whether the session's `cachePolicy` keeps replies.
    public var useCache: Bool { session.configuration.cachePolicy != .none }

    /// Whether the session's `cachePolicy` revalidates a kept reply with the server before using it.
    public var validatingCache: Bool { session.configuration.cachePolicy != .unvalidated }

    /// The session's credential.
    public var credential: Credential? { session.credential }

    /// The session's trust decider.
    public var trustDecider: (any ServerTrustDeciding)? {
        get { session.trustDecider }
        nonmutating set { session.trustDecider = newValue }
    }

    /// Returns the permanent redirection of the item's own URL, as far as the session's requests have met one.
    public func permanentRedirection(of path: ItemPath) -> URL? { session.permanentRedirection(of: url(of: path)) }

    /// Sends a request and returns its whole reply, or throws the error that an unsuccessful reply stands for.
    ///
    /// Files that are read, pages of listings and the steps of uploads do not go through this method.
    @discardableResult
    public func send(
        _ request: HTTPRequest, for operation: FileOperationType, progress: (@Sendable (Int64) -> Void)? = nil
    ) async throws -> (HTTPResponse, Data) {
        let (response, data) = try await session.data(for: request, progress: progress)
        guard response.isSuccess else { throw await fileError(for: response, data: data, operation: operation) }
        try response.interpreted { try confirmSuccess(of: operation, response: response, data: data) }
        return (response, data)
    }

    /// Returns the error for the status; see ``defaultFileError(for:data:operation:)``.
    public func fileError(for response: HTTPResponse, data: Data, operation: FileOperationType) async -> any Error {
        defaultFileError(for: response, data: data, operation: operation)
    }

    /// Returns the error for the status, as ``HTTPStatusMeaning`` defines it.
    public func defaultFileError(for response: HTTPResponse, data: Data, operation: FileOperationType) -> any Error {
        HTTPStatusMeaning.error(
            for: response, operation: operation,
            server: serverError(with: response.status, path: operation.source, data: data))
    }

    /// Does nothing.
    public func prepare() async throws {}

    /// Returns the path unchanged. Throws for an identifier, which must not become the name of a file.
    public func located(_ path: ItemPath) async throws -> ItemPath {
        guard !path.isIdentifier else { throw FileError.noSuchFile(path) }
        return path
    }

    /// Does nothing.
    public func confirmSuccess(of operation: FileOperationType, response: HTTPResponse, data: Data) throws {}

    /// Does nothing.
    public func confirmContents(of path: ItemPath, response: HTTPResponse) async throws {}

    /// Returns `ETag` and `Last-Modified`.
    public func contentsVersion(response: HTTPResponse) -> FileVersion { response.reportedVersion }

    /// Returns the path, size, `ETag` and `Date`.
    public func writtenItem(path: ItemPath, size: Int64?, response: HTTPResponse, data: Data) -> FileObject {
        var file = FileObject(path: path, type: .regular)
        file.size = size
        file.etag = response.etag
        file[.writtenBy] = response.headers["Date"].flatMap(HTTPDate.parse)
        return file
    }

    /// Returns `false`.
    public func honorsIfMatch(for operation: FileOperationType) -> Bool { false }

    /// Returns `false`.
    public var needsLength: Bool { false }

    /// Looks up one item with one request.
    public func attributesOfItem(path: ItemPath) async throws -> FileObject {
        try await prepare()
        let path = try await located(path)
        let (response, data): (HTTPResponse, Data)
        do {
            (response, data) = try await send(attributesRequest(path: path), for: .fetch(path))
        } catch  where error.isNotADirectory && path.namesDirectory {
            throw FileError.noSuchFile(path)
        }
        let file = try response.interpreted { try attributes(of: path, response: response, data: data) }
        if path.namesDirectory, !file.isDirectory { throw FileError.noSuchFile(path) }
        return file
    }
}
