import FileProviding
import Foundation

extension HTTPFileProvider {
    /// Reads with one GET; the status and range are checked before the first byte.
    public func read(path: ItemPath, range: ByteRange, in context: OperationContext) async throws -> FileContents {
        try await prepare()
        let path = try await located(path)
        do {
            return try await readOnce(path, range, context)
        } catch let error where error.isItemChanged {
            return try await readOnce(path, range, try await withoutTag(context, path, after: error))
        } catch  where error.isOtherRange {
            return try await readOnce(path, range, asking: .all, context)
        } catch is UnknownSize {
            return try await readOnce(path, range, asking: .all, try await withSize(context, path))
        } catch let reply as EncodedReply {
            // The body has been dropped by now: otherwise it would occupy a connection during the request for the size.
            let size = try await attributesOfItem(path: path).size
            try confirmEncoding(of: reply.response, path, size)
            return try await readOnce(path, range, size: size, context)
        }
    }

    private func readOnce(
        _ path: ItemPath, _ range: ByteRange, asking asked: ByteRange? = nil, size: Int64? = nil,
        _ context: OperationContext
    ) async throws -> FileContents {
        guard var request = try await readRequest(path: path, range: range, asking: asked ?? range) else {
            return try await emptyContents(path)
        }
        // An expected version was reported by the server just now, and may differ from what was kept.
        request.mayComeFromCache = context.options.expecting == nil
        let (response, body) = try await session.stream(for: request)
        let isBeyond = response.isBeyondTheEnd(for: request)
        guard response.hasContents || isBeyond else {
            throw try await fileError(for: response, data: body.collectRefusal(), operation: .fetch(path))
        }
        if !isBeyond {
            try await HTTPSession.$isBesideReply.withValue(true) {
                try await confirmContents(of: path, response: response)
            }
        }
        let expected = context.options.expecting
        let reply = try ReadReply(
            response, contentsVersion(response: response), range: range, path: path, expecting: expected)
        try confirm(reply.head.version, expected: expected, path: path)
        guard !isBeyond else { return FileContents(head: reply.head, bytes: ByteStream(Data())) }
        if response.isEncoded {
            guard let size = expected?.size ?? size else { throw EncodedReply(response: response) }
            try confirmEncoding(of: response, path, size)
        }
        let bytes = ByteStream(SlicedChunks(body: body, reply: reply, path: path), length: reply.head.length)
        return FileContents(head: reply.head, bytes: bytes)
    }

    /// Reads with one GET, and writes to the file on the transport's thread.
    public func read(
        path: ItemPath, range: ByteRange, into file: LocalFileHandle, at offset: Int64, in context: OperationContext
    ) async throws -> FileContents.Head {
        try await prepare()
        let path = try await located(path)
        do {
            return try await readOnce(path, range, into: file, at: offset, context)
        } catch let error where error.isItemChanged {
            let context = try await withoutTag(context, path, after: error)
            return try await readOnce(path, range, into: file, at: offset, context)
        } catch  where error.isOtherRange {
            return try await readOnce(path, range, asking: .all, into: file, at: offset, context)
        } catch is UnknownSize {
            let context = try await withSize(context, path)
            return try await readOnce(path, range, asking: .all, into: file, at: offset, context)
        }
    }

    private func readOnce(
        _ path: ItemPath, _ range: ByteRange, asking asked: ByteRange? = nil, into file: LocalFileHandle,
        at offset: Int64, _ context: OperationContext
    ) async throws -> FileContents.Head {
        guard let request = try await readRequest(path: path, range: range, asking: asked ?? range) else {
            return try await emptyContents(path).head
        }
        let found = Locked<ReadReply?>(nil)
        let expected = context.options.expecting
        let result = try await session.download(request, into: file, at: offset) { written in
            context.progress.raise(to: written)
        } accept: { response in
            guard response.hasContents else { return .refuse }
            let reply = try ReadReply(
                response, contentsVersion(response: response), range: range, path: path, expecting: expected)
            try confirm(reply.head.version, expected: expected, path: path)
            found.withLock { $0 = reply }
            context.progress.setTotal(reply.head.length)
            return .write(skipping: reply.skipping, length: reply.limit)
        }
        if result.response.isBeyondTheEnd(for: request) {
            let reply = try ReadReply(
                result.response, contentsVersion(response: result.response), range: range, path: path,
                expecting: expected)
            try confirm(reply.head.version, expected: expected, path: path)
            return reply.head
        }
        guard var head = found.withLock({ $0?.head }) else {
            throw await fileError(for: result.response, data: result.refusedBody ?? Data(), operation: .fetch(path))
        }
        try await confirmContents(of: path, response: result.response)
        if result.response.isEncoded {
            var size = expected?.size
            if size == nil { size = try await attributesOfItem(path: path).size }
            try confirmEncoding(of: result.response, path, size)
        }
        if let length = head.length, result.written != length {
            throw FileError.wrongLength(path, expected: length, got: result.written)
        }
        head.length = result.written
        return head
    }

    /// Throws for an encoded reply, which was not requested and does not hold the file's bytes. Some servers declare a
    /// `.gz` file itself as encoded: then the length equals the file's size, and the bytes are the file's.
    private func confirmEncoding(of response: HTTPResponse, _ path: ItemPath, _ size: Int64?) throws {
        let length =
            response.status == 206
            ? response.headers["Content-Range"].flatMap(ContentRange.init)?.size : response.contentLength
        guard let length, length == size else {
            let encoding = response.headers["Content-Encoding"] ?? ""
            throw cocoaError(
                path, code: .fileReadCorruptFile,
                reason: "the server sends it encoded (\(encoding)), although it was asked not to")
        }
    }

    /// Handles a server that reports other tags with a file's bytes than with its attributes, or a proxy that changes
    /// them: size and time are compared instead (mod_dav_svn escapes the tag of a name with `&`).
    ///
    /// - Throws: `error` where the file is no longer the expected one.
    private func withoutTag(
        _ context: OperationContext, _ path: ItemPath, after error: any Error
    ) async throws -> OperationContext {
        guard let expected = context.options.expecting, let tag = expected.etag, expected.size != nil,
            expected.modificationTime != nil, try await currentAttributes(path).etag?.opaque == tag.opaque
        else { throw error }
        var context = context
        context.options.expecting?.etag = nil
        return context
    }

    /// Expects the size that the file's attributes tell.
    private func withSize(_ context: OperationContext, _ path: ItemPath) async throws -> OperationContext {
        guard let size = try await currentAttributes(path).size else {
            throw FileError.unsupported(path, "the server reports neither ranges nor sizes")
        }
        var context = context
        context.options.expecting = context.options.expecting ?? FileVersion()
        context.options.expecting?.size = size
        return context
    }

    /// Returns the request for a range; `nil` when no byte is wanted.
    ///
    /// - Parameter asked: the range to request: the wanted range, or everything, out of which the wanted range is then
    ///   cut.
    private func readRequest(path: ItemPath, range: ByteRange, asking asked: ByteRange) async throws -> HTTPRequest? {
        try range.validate(path: path)
        guard !path.isRoot else { throw FileError.isADirectory(path) }
        guard !path.namesDirectory else {
            let isDirectory = try await attributesOfItem(path: path).isDirectory
            throw isDirectory ? FileError.isADirectory(path) : FileError.noSuchFile(path)
        }
        guard !range.isAlwaysEmpty else { return nil }
        var request = try request(for: .fetch(path), overwrite: false, attributes: ItemAttributes())
        request.headers["Range"] = asked.headerValue
        request.headers["Accept-Encoding"] = "identity"
        return request
    }

    private func emptyContents(_ path: ItemPath) async throws -> FileContents {
        let file = try await attributesOfItem(path: path)
        guard !file.isDirectory else { throw FileError.isADirectory(path) }
        let head = FileContents.Head(
            length: 0, totalSize: file.size, version: file.version, contentType: file.contentType)
        return FileContents(head: head, bytes: ByteStream(Data()))
    }
}

/// Compares the version that a reply reports with the expected one, as far as both are known.
func confirm(_ version: FileVersion, expected: FileVersion?, path: ItemPath) throws {
    guard let expected else { return }
    if let mine = expected.etag, let theirs = version.etag {
        guard mine.opaque == theirs.opaque else { throw FileError.changed(path) }
        return
    }
    if let mine = expected.size, let theirs = version.size, mine != theirs { throw FileError.changed(path) }
    if let mine = expected.modificationTime, let theirs = version.modificationTime, !mine.mayBe(theirs) {
        throw FileError.changed(path)
    }
}

extension FileTime {
    /// Returns whether two reports may be of the same time: headers tell whole seconds, some tags more.
    fileprivate func mayBe(_ other: FileTime) -> Bool {
        guard subsecond != 0, other.subsecond != 0 else { return seconds == other.seconds }
        return isWithin(max(granularity, other.granularity), of: other)
    }
}

/// The requested bytes of a reply; too few of them is an error, and so are more than the file should have.
private struct SlicedChunks: AsyncSequence, Sendable {
    let body: ByteStream
    let reply: ReadReply
    let path: ItemPath

    func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(
            chunks: body.makeAsyncIterator(), skipping: reply.skipping, limit: reply.limit, length: reply.head.length,
            path: path)
    }

    struct AsyncIterator: AsyncIteratorProtocol {
        var chunks: ByteStream.AsyncIterator
        var skipping: Int64
        let limit: Int64?
        let length: Int64?
        let path: ItemPath
        var delivered: Int64 = 0

        mutating func next(isolation actor: isolated (any Actor)? = #isolation) async throws -> Data? {
            if delivered == limit { return nil }
            while var chunk = try await chunks.next(isolation: actor) {
                if skipping > 0 {
                    let cut = Swift.min(skipping, Int64(chunk.count))
                    chunk = chunk.dropFirst(Int(cut))
                    skipping -= cut
                }
                if let limit { chunk = chunk.prefix(Int(Swift.min(limit - delivered, Int64(chunk.count)))) }
                delivered += Int64(chunk.count)
                if !chunk.isEmpty { return chunk }
            }
            if let length, delivered != length {
                throw FileError.wrongLength(path, expected: length, got: delivered)
            }
            return nil
        }
    }
}

/// An encoded reply for a file of unknown size.
private struct EncodedReply: Error {
    let response: HTTPResponse
}
