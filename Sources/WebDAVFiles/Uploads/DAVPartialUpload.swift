import FileProviding
import Foundation
import HTTPFiles

/// A file that grows under a temporary name, by PUT with `Content-Range` or by sabre/dav's PATCH.
///
/// The size of the temporary file tells what the server holds: both ways write in place, in order.
final class DAVPartialUpload: ResumableUpload {
    /// The state kept between runs.
    struct Saved: Codable {
        let path: ItemPath
        let temporary: ItemPath
        let length: Int64?
    }

    /// The most bytes of anything but a local file in one request: a part is in memory.
    private static let streamedLength: Int64 = 8 << 20
    /// The most bytes of a local file in one request, if the server keeps what it received of a request that breaks
    /// off.
    private static let keptLength: Int64 = 1 << 30

    private let provider: WebDAVFileProvider
    private let saved: Saved
    private let method: ServerFamily.InPlaceWrite
    private let length: Int64?
    private let held: Locked<Int64>

    init(
        provider: WebDAVFileProvider, saved: Saved, method: ServerFamily.InPlaceWrite, length: Int64?,
        acknowledged: Int64
    ) {
        self.provider = provider
        self.saved = saved
        self.method = method
        self.length = length
        held = Locked(acknowledged)
    }

    var acknowledged: Int64 { held.withLock { $0 } }

    func saveState() throws -> State { try JSONEncoder().encode(saved) }

    /// Creates the file to write into, which both ways need.
    ///
    /// - Throws: `.featureUnsupported` when the range of a PUT turns out not to reach the server, or no such file may
    ///   be created.
    func create(in context: OperationContext) async throws {
        do {
            try await provider.withParents(of: saved.path, in: context) { try await makeEmpty() }
        } catch {
            if error.isAnswerMissing || error.isCancellation { await provider.discard(saved.temporary) }
            guard let parent = saved.path.parent, await provider.mayRefuseHiddenNames(in: parent, error) else {
                throw error
            }
            // Whether that is about the folder or about such names shows when the file is sent as a whole.
            throw FileError.unsupported(saved.path, "the server takes no hidden file to continue")
        }
        guard method == .contentRange, !provider.server.keepsRanges else { return }
        do {
            guard try await holdsPart() else {
                provider.server.family?.partialWrite = nil
                throw FileError.unsupported(saved.path, "a PUT's range does not arrive at this server")
            }
            try await makeEmpty()
        } catch {
            try? await abort()
            throw error
        }
        provider.server.keepsRanges = true
    }

    private func makeEmpty() async throws {
        let request = try provider.request(for: .modify(saved.temporary), overwrite: true, attributes: ItemAttributes())
        try await provider.send(request, for: .modify(saved.path))
    }

    /// Returns whether a byte that is sent as a file's second byte becomes that, and not the whole file: a recipient
    /// may ignore the `Content-Range` of a PUT or refuse it (RFC 9110, section 14.5), and a proxy may drop it.
    private func holdsPart() async throws -> Bool {
        let (response, _) = try await provider.session.data(for: request(.bytes(Data([0])), 1..<2, of: 2))
        guard response.isSuccess else { return false }
        return try await provider.attributesOfItem(path: saved.temporary).size == 2
    }

    func append(_ bytes: ByteStream, in context: OperationContext) async throws {
        context.progress.setTotal(length)
        context.progress.raise(to: acknowledged)
        try await bytes.forEachPart(of: partLength(of: bytes)) { part in
            try await send(.stream(part), count: part.length ?? 0, in: context)
        }
    }

    /// Returns the most bytes that one request carries. A server that discards a request that breaks off is sent a file
    /// in parts, since a part is then the most that a kill can cost.
    private func partLength(of bytes: ByteStream) -> Int64 {
        guard bytes.localFile != nil else { return Self.streamedLength }
        return method == .contentRange ? Self.keptLength : Self.partLength(ofFile: length ?? acknowledged)
    }

    func commit(in context: OperationContext) async throws -> FileObject {
        if let length, acknowledged != length {
            throw FileError.wrongLength(saved.path, expected: length, got: acknowledged)
        }
        let tag = try await confirmStored()
        try await NameTrial.run(for: saved.path, on: provider)
        try await provider.locking(saved.path) { lock in
            let former = try await provider.checkTarget(saved.path, context.options)
            let move = MoveIntoPlace(
                provider: provider, temporary: saved.temporary, tag: tag, size: acknowledged, path: saved.path,
                lock: lock,
                options: context.options)
            try await move.run(replacing: former)
            try await provider.confirmName(saved.path)
        }
        var file = FileObject(path: saved.path, type: .regular)
        file.size = acknowledged
        return file
    }

    /// Checks that the bytes were stored: some servers report success for bytes that they could not store, and one that
    /// is reached by another route since the upload began may keep only the last part.
    ///
    /// - Returns: the temporary file's tag.
    private func confirmStored() async throws -> ETag? {
        let stored = try await provider.attributesOfItem(path: saved.temporary)
        guard stored.size == acknowledged else {
            let isFull = try await !provider.family(near: saved.path).provesSuccess
            throw cocoaError(
                saved.path, code: isFull ? .fileWriteOutOfSpace : .fileWriteUnknown,
                reason: "the server stored \(stored.size ?? 0) of \(acknowledged) bytes; "
                    + (isFull ? "its disk may be full" : "it may not know parts of files"))
        }
        return stored.etag
    }

    func abort() async throws { _ = await provider.discard(saved.temporary) }

    private func send(_ body: HTTPBody, count: Int64, in context: OperationContext) async throws {
        let offset = acknowledged
        do {
            try await provider.send(request(body, offset..<(offset + count), of: length), for: .modify(saved.path)) {
                sent in
                context.progress.raise(to: offset + sent)
            }
        } catch  where error.isFileExists {
            throw FileError.noSuchFile(saved.temporary, writing: true)
        }
        held.withLock { $0 = offset + count }
    }

    /// Returns the request for a part. Writing the same bytes at the same place twice does no harm, so it may be
    /// repeated after a lost reply.
    private func request(_ body: HTTPBody, _ range: Range<Int64>, of length: Int64?) -> HTTPRequest {
        let url = provider.url(of: saved.temporary)
        var request: HTTPRequest
        switch method {
        case .contentRange:
            request = HTTPRequest(.put, url, body: body)
            let total = length.map(String.init) ?? "*"
            request.headers["Content-Range"] = "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(total)"
            // A temporary file that has disappeared would be recreated with zeros before the range.
            request.headers["If-Match"] = "*"
        case .sabrePatch:
            request = HTTPRequest(.patch, url, body: body)
            request.headers["Content-Type"] = "application/x-sabredav-partialupdate"
            request.headers["X-Update-Range"] = "bytes=\(range.lowerBound)-\(range.upperBound - 1)"
            request.isSafeToRepeat = true
        }
        return request
    }
}
