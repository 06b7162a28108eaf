import FileProviding

/// Copies a small file into a local one: written by the source's own thread, and started over when it breaks off.
struct DirectCopy {
    let job: FileJob
    /// The file's name: its final one, or a temporary one where it is verified first.
    let path: ItemPath
    let source: SourceStream
    let progress: OperationProgress

    /// - Returns: `nil` when the destination has no open file for the bytes, or they have to be inspected on the way.
    func run(_ context: OperationContext) async throws -> FileObject? {
        guard source.isPlain, let provider = job.target.storage.openFiles else { return nil }
        let upload: any ResumableUpload
        do {
            upload = try await provider.beginPartialWrite(
                path: path, length: job.item.size, resuming: nil, in: context)
        } catch  where error.isUnsupported {
            return nil
        }
        do {
            guard let file = upload.localFile else {
                try await upload.abort()
                return nil
            }
            // A copy that starts over keeps the count that it had reached.
            let reading = OperationProgress { [progress] in progress.raise(to: $0.completed) }
            let head = try await job.source.provider.read(
                path: job.source.path, range: .all, into: file, at: 0,
                in: OperationContext(options: source.reading, progress: reading))
            let length = try head.length ?? file.size()
            if reading.current.completed == length { source.end.withLock { $0 = length } }
            try await upload.acknowledge(upTo: length)
            return try await upload.commit(in: context)
        } catch {
            await tidyingUp { try? await upload.abort() }
            throw error.ofOpenFile(at: path)
        }
    }
}
