import FileProviding

/// Writes arriving bytes into an open local file, on the connection's thread.
final class FileReadSink: ReadSink {
    private let file: LocalFileHandle
    private let offset: Int64
    private let progress: OperationProgress
    private let done: (Result<Int64, any Error>) -> Void

    init(
        _ file: LocalFileHandle, at offset: Int64, progress: OperationProgress,
        done: @escaping (Result<Int64, any Error>) -> Void
    ) {
        self.file = file
        self.offset = offset
        self.progress = progress
        self.done = done
    }

    let unused = 0

    func take(_ bytes: UnsafeRawBufferPointer, at position: Int64) throws {
        try file.write(bytes, at: offset + position)
    }

    func didAdvance(to count: Int64) { progress.raise(to: count) }
    func finish(_ result: Result<Int64, any Error>) { done(result) }
}
