import Foundation

extension FileProviderReadWrite {
    /// Returns a file's contents. Use it for files that fit into memory, and read larger ones in chunks.
    ///
    /// - Parameters:
    ///   - path: the file.
    ///   - offset: where to begin, in bytes.
    ///   - length: the most bytes to return; by default, everything to the end.
    ///   - progress: counts the bytes.
    /// - Throws: what ``read(path:range:in:)`` throws, the "invalid argument" of ``ByteRange/validate(path:)``, and
    ///   `.userCancelled` when the delegate refuses.
    public func contents(
        path: ItemPath, offset: Int64 = 0, length: Int64? = nil, progress: OperationProgress = OperationProgress()
    ) async throws -> Data {
        let range = try ByteRange(offset: offset, length: length, path: path)
        // What could not be read is not empty, so nobody can ignore that.
        return try await supervised(.fetch(path), progress: progress, ignored: nil) { context in
            try await collect(path, range, context)
        }
    }

    private func collect(_ path: ItemPath, _ range: ByteRange, _ context: OperationContext) async throws -> Data {
        let contents = try await read(path: path, range: range, in: context)
        context.progress.setTotal(contents.head.length)
        var data = Data()
        for try await chunk in contents {
            data.append(chunk)
            context.progress.advance(by: Int64(chunk.count))
        }
        return data
    }

    /// Writes a file's whole contents, atomically, as ``write(path:from:in:)`` does.
    ///
    /// - Returns: the file; `nil` when the delegate ignored a failure, and nothing was written.
    @discardableResult
    public func writeContents(
        path: ItemPath, contents: Data, overwrite: Bool = false, progress: OperationProgress = OperationProgress()
    ) async throws -> FileObject? {
        let options = OperationOptions(overwrite: overwrite)
        return try await supervised(.modify(path), options: options, progress: progress, ignored: .some(nil)) {
            context in
            try await write(path: path, from: ByteStream(contents), in: context)
        }
    }

    /// Opens a file and returns its bytes as they arrive.
    public func read(path: ItemPath, range: ByteRange = .all) async throws -> FileContents {
        try await read(path: path, range: range, in: OperationContext(logger: context.logger))
    }

    /// Writes a file from a stream, without asking the delegates: as the requirement does, for callers that have asked,
    /// or have nobody to ask.
    @discardableResult
    public func write(
        path: ItemPath, from source: ByteStream, options: OperationOptions = OperationOptions()
    ) async throws -> FileObject {
        try await write(path: path, from: source, in: OperationContext(options: options, logger: context.logger))
    }

    /// Runs the work through the delegates where the provider has operations, and directly where it only reads and
    /// writes.
    private func supervised<Result: Sendable>(
        _ operation: FileOperationType, options: OperationOptions = OperationOptions(), progress: OperationProgress,
        ignored: Result?, _ work: (OperationContext) async throws -> Result
    ) async throws -> Result {
        if let operations = self as? any FileProviderOperations {
            return try await operations.supervise(
                operation, options: options, progress: progress, ignored: ignored, work)
        }
        return try await work(OperationContext(options: options, progress: progress, logger: context.logger))
    }
}
