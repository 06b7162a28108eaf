import FileProviding
import Foundation

extension HTTPFileProvider {
    /// One request with the bytes as its body, conditional where nothing may be replaced.
    ///
    /// Right for servers that put a file under its name only when it is complete; others override this.
    public func write(path: ItemPath, from source: ByteStream, in context: OperationContext) async throws -> FileObject
    {
        try checkWritable(path)
        try await prepare()
        var request = try request(
            for: .modify(path), overwrite: context.options.overwrite, attributes: context.options.attributes)
        request.expect(context.options.expecting)
        return try await withParents(of: path, isRepeatable: source.isReplayable, in: context) {
            do {
                let (response, size) = try await upload(source, with: request, for: .modify(path), in: context)
                return writtenItem(path: path, size: size, response: response)
            } catch  where request.headers["If-Match"] != nil && error.isFileExists {
                throw FileError.changed(path)
            }
        }
    }

    /// Sends a request with a stream as its body, counting the bytes and comparing them with the stream's length.
    ///
    /// - Returns: the reply and the number of bytes.
    public func upload(
        _ source: ByteStream, with request: HTTPRequest, for operation: FileOperationType, in context: OperationContext
    ) async throws -> (HTTPResponse, Int64) {
        var request = request
        request.body = .stream(source)
        context.progress.setTotal(source.length)
        if source.length == 0, let extra = try await source.first(where: { _ in true }) {
            throw FileError.wrongLength(operation.source, expected: 0, got: Int64(extra.count))
        }
        let sent = Locked<Int64>(0)
        let (response, _) = try await send(request, for: operation) { count in
            sent.withLock { $0 = count }
            context.progress.raise(to: count)
        }
        return (response, source.length ?? sent.withLock { $0 })
    }

    /// A path that a file can have.
    public func checkWritable(_ path: ItemPath) throws {
        guard !path.isRoot, !path.namesDirectory else { throw FileError.isADirectory(path, writing: true) }
    }

    /// The item, or `nil` when there is none.
    package func itemIfPresent(_ path: ItemPath) async throws -> FileObject? {
        do { return try await attributesOfItem(path: path) } catch  where error.isNoSuchFile { return nil }
    }

    /// A file may replace a file only, for servers that would replace anything.
    ///
    /// - Returns: what is to be replaced; `nil` when nothing is there.
    /// - Throws: "has changed" when the file is not the expected version any more.
    @discardableResult
    package func checkTarget(_ path: ItemPath, _ options: OperationOptions) async throws -> FileObject? {
        guard let existing = try await itemIfPresent(path) else {
            if options.expecting != nil { throw FileError.noSuchFile(path, writing: true) }
            return nil
        }
        if existing.isDirectory { throw FileError.isADirectory(path, writing: true) }
        if !options.overwrite { throw FileError.exists(path) }
        if let expected = options.expecting, !expected.matches(existing) { throw FileError.changed(path) }
        return existing
    }
}

extension HTTPRequest {
    /// Makes the request hold for this version alone, where it has a tag that promises equal bytes (RFC 9110, section 13.1.1).
    ///
    /// It is not repeated then: one whose reply was lost would be refused by its own success.
    package mutating func expect(_ version: FileVersion?) {
        guard let etag = version?.etag, !etag.isWeak else { return }
        headers["If-Match"] = etag.rawValue
        isSafeToRepeat = false
    }
}
