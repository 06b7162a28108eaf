import FileProviding
import Foundation
import HTTPFiles

/// A file that grows under a temporary name, by PUT with `Content-Range` or by sabre/dav's PATCH.
///
/// The size of the temporary file is the measure of what the server holds: both ways write in place, in order.
final class DAVPartialUpload: ResumableUpload {
    /// What is kept between runs.
    struct Saved: Codable {
        let path: ItemPath
        let temporary: ItemPath
        let length: Int64?
    }

    /// What one request carries of what is no local file: a part is in memory.
    private static let streamedLength: Int64 = 8 << 20
    /// What one request carries of a local file where the server keeps what it got of a request that breaks.
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

    /// Both ways need a file to write into.
    ///
    /// - Throws: `.featureUnsupported` when the range of a PUT turns out not to arrive, or no such file may be made.
    func create(in context: OperationContext) async throws {
        do {
            try await provider.withParents(of: saved.path, in: context) { try await makeEmpty() }
        } catch {
            guard let parent = saved.path.parent, await provider.mayRefuseHiddenNames(in: parent, error) else {
                throw error
            }
            // Whether that is about the folder or about such names, sending the file whole shows.
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

    /// Whether one byte that is sent as a file's second becomes that, instead of the whole file: a recipient may ignore the
    /// `Content-Range` of a PUT or refuse it (RFC 9110, section 14.5), and a proxy may drop it.
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

    /// What one request carries. A server that drops a request that breaks is sent a file in parts, since that is what a kill
    /// can cost.
    private func partLength(of bytes: ByteStream) -> Int64 {
        guard bytes.localFile != nil else { return Self.streamedLength }
        return method == .contentRange ? Self.keptLength : Self.partLength(ofFile: length ?? acknowledged)
    }

    func commit(in context: OperationContext) async throws -> FileObject {
        if let length, acknowledged != length {
            throw FileError.wrongLength(saved.path, expected: length, got: acknowledged)
        }
        let tag = try await confirmStored()
        try await provider.locking(saved.path) { lock in
            let former = try await provider.checkTarget(saved.path, context.options)
            let move = MoveIntoPlace(
                provider: provider, temporary: saved.temporary, tag: tag, path: saved.path, lock: lock,
                options: context.options)
            try await move.run(replacing: former)
        }
        var file = FileObject(path: saved.path, type: .regular)
        file.size = acknowledged
        return file
    }

    /// Some servers answer success to bytes that they could not store, and one that is reached by another way since the upload
    /// began may keep the last part alone.
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

    /// Writing the same bytes at the same place twice does no harm, so a lost reply may be repeated.
    private func request(_ body: HTTPBody, _ range: Range<Int64>, of length: Int64?) -> HTTPRequest {
        let url = provider.url(of: saved.temporary)
        var request: HTTPRequest
        switch method {
        case .contentRange:
            request = HTTPRequest(.put, url, body: body)
            let total = length.map(String.init) ?? "*"
            request.headers["Content-Range"] = "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(total)"
            // A temporary file that has gone would come back with zeros before the range.
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
