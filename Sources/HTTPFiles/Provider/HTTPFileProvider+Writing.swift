import FileProviding
import Foundation

extension HTTPFileProvider {
    /// One request with the bytes as its body, conditional where nothing may be replaced.
    ///
    /// Right for servers that put a file under its name only when it is complete; others override this. A file that has to be
    /// of a version without a strong tag is looked at before.
    public func write(path: ItemPath, from source: ByteStream, in context: OperationContext) async throws -> FileObject
    {
        try checkWritable(path)
        try await prepare()
        let options = context.options
        var request = try request(for: .modify(path), overwrite: options.overwrite, attributes: options.attributes)
        if !request.expect(options.expecting) { try await checkTarget(path, options) }
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
    /// One with `If-None-Match` or `If-Match` is not repeated after a lost reply: its own success would refuse it.
    ///
    /// - Returns: the reply and the number of bytes.
    public func upload(
        _ source: ByteStream, with request: HTTPRequest, for operation: FileOperationType, in context: OperationContext
    ) async throws -> (HTTPResponse, Int64) {
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

    /// - Throws: "has changed" when the item is not the expected version any more.
    package func confirmExpected(_ path: ItemPath, _ options: OperationOptions) async throws {
        guard let expected = options.expecting else { return }
        let present = try await attributesOfItem(path: path)
        guard expected.matches(present) else { throw FileError.changed(path) }
    }
}

extension HTTPRequest {
    /// Makes the request hold for this version alone, where it has a tag that promises equal bytes (RFC 9110, section 13.1.1).
    ///
    /// - Returns: whether the server sees to it. Where it does not, for want of such a tag, somebody has to look before.
    @discardableResult
    package mutating func expect(_ version: FileVersion?) -> Bool {
        guard let version else { return true }
        guard let etag = version.etag, !etag.isWeak else { return false }
        headers["If-Match"] = etag.rawValue
        return true
    }
}
