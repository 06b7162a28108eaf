import FileProviding
import Foundation

extension HTTPFileProvider {
    /// Does the same as ``defaultWrite(path:from:in:)``.
    public func write(path: ItemPath, from source: ByteStream, in context: OperationContext) async throws -> FileObject
    {
        try await defaultWrite(path: path, from: source, in: context)
    }

    /// Writes with one request that has the bytes as its body, conditional if nothing may be replaced.
    ///
    /// This suits servers that put a file under its name only when it is complete; providers of others override
    /// `write`. A file that has to be of a particular version is looked up first, unless it has a strong tag and
    /// ``honorsIfMatch(for:)`` says that the server looks.
    public func defaultWrite(
        path: ItemPath, from source: ByteStream, in context: OperationContext
    ) async throws -> FileObject {
        try checkWritable(path)
        try await prepare()
        let options = context.options
        var request = try request(for: .modify(path), overwrite: options.overwrite, attributes: options.attributes)
        if !request.expect(options.expecting) || options.expecting != nil && !honorsIfMatch(for: .modify(path)) {
            try await checkTarget(path, options)
        }
        let source = needsLength ? try await source.withLength() : source
        return try await withParents(of: path, isRepeatable: source.isReplayable, in: context) {
            do {
                let (response, data, size) = try await upload(source, with: request, for: .modify(path), in: context)
                return try response.interpreted {
                    try writtenItem(path: path, size: size, response: response, data: data)
                }
            } catch  where request.headers["If-Match"] != nil && error.isFileExists {
                throw FileError.changed(path)
            }
        }
    }

    /// Sends a request with a stream as its body, counting the bytes and comparing them with the stream's length.
    ///
    /// A request with `If-None-Match` or `If-Match` is not repeated after a lost reply: its own success would make the
    /// server refuse it.
    ///
    /// - Returns: the reply and the number of bytes that were sent.
    public func upload(
        _ source: ByteStream, with request: HTTPRequest, for operation: FileOperationType, in context: OperationContext
    ) async throws -> (HTTPResponse, Data, Int64) {
        var request = request
        request.body = .stream(source)
        if request.headers["If-None-Match"] != nil || request.headers["If-Match"] != nil {
            request.isSafeToRepeat = false
        }
        context.progress.setTotal(source.length)
        if source.length == 0, let extra = try await source.first(where: { _ in true }) {
            throw FileError.wrongLength(operation.source, expected: 0, got: Int64(extra.count))
        }
        let sent = Locked<Int64>(0)
        let (response, data) = try await send(request, for: operation) { count in
            sent.withLock { $0 = count }
            context.progress.raise(to: count)
        }
        return (response, data, source.length ?? sent.withLock { $0 })
    }

    /// Throws unless a file can have this path: not the root, no trailing slash, no identifier.
    public func checkWritable(_ path: ItemPath) throws {
        try checkNamed(path)
        guard !path.isRoot, !path.namesDirectory else { throw FileError.isADirectory(path, writing: true) }
    }

    /// Returns the item, or `nil` when there is none.
    package func itemIfPresent(_ path: ItemPath) async throws -> FileObject? {
        do { return try await currentAttributes(path) } catch  where error.isNoSuchFile { return nil }
    }

    /// Looks an item up at the server, whatever the cache holds: to decide what becomes of it.
    package func currentAttributes(_ path: ItemPath) async throws -> FileObject {
        try await HTTPSession.$asksServer.withValue(true) { try await attributesOfItem(path: path) }
    }

    /// Checks that a file replaces only a file, for servers that would replace anything.
    ///
    /// - Returns: the item that would be replaced; `nil` when there is none.
    /// - Throws: "has changed" when the file is no longer the expected version.
    @discardableResult
    public func checkTarget(_ path: ItemPath, _ options: OperationOptions) async throws -> FileObject? {
        guard let existing = try await itemIfPresent(path) else {
            if options.expecting != nil { throw FileError.noSuchFile(path, writing: true) }
            return nil
        }
        if existing.isDirectory { throw FileError.isADirectory(path, writing: true) }
        if !options.overwrite { throw FileError.exists(path) }
        if let expected = options.expecting, !expected.matches(existing) { throw FileError.changed(path) }
        return existing
    }

    /// - Throws: "has changed" when the item is no longer the expected version.
    package func confirmExpected(_ path: ItemPath, _ options: OperationOptions) async throws {
        guard let expected = options.expecting else { return }
        let present = try await currentAttributes(path)
        guard expected.matches(present) else { throw FileError.changed(path) }
    }
}

extension HTTPRequest {
    /// Makes the request apply to this version alone, by `If-Match`, if it has a tag that promises equal bytes (RFC
    /// 9110, section 13.1.1).
    ///
    /// - Returns: whether the server can be trusted with it. Without such a tag the caller has to check first.
    @discardableResult
    public mutating func expect(_ version: FileVersion?) -> Bool {
        guard let version else { return true }
        guard let etag = version.etag, !etag.isWeak else { return false }
        headers["If-Match"] = etag.rawValue
        return true
    }
}
