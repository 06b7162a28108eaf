import FileProviding
import Foundation

extension MemoryFileProvider {
    /// Opens a file, following links. The contents are those at this moment, whatever is written to the file later.
    public func read(path: ItemPath, range: ByteRange, in context: OperationContext) async throws -> FileContents {
        try Task.checkCancellation()
        try range.validate(path: path)
        let (file, data) = try store.read { tree in
            let opened = try tree.readable(path)
            try MemoryTree.check(context.options.expecting, against: opened.file, path)
            return opened
        }
        let bytes = range.resolved(size: Int64(data.count))
        return FileContents(
            head: FileContents.Head(
                offset: bytes.lowerBound, length: Int64(bytes.count), totalSize: Int64(data.count),
                version: file.object(at: path).version, contentType: file.contentType),
            bytes: chunks(of: data, bytes))
    }

    /// Writes a whole file. A link of that name is replaced.
    public func write(path: ItemPath, from source: ByteStream, in context: OperationContext) async throws -> FileObject
    {
        try store.read { try $0.checkWrite(path, length: source.length, options: context.options) }
        var data = Data()
        try await receive(source, path: path, length: source.length, in: context) { data.append($0) }
        return try store.change { try $0.write(path, data, options: context.options, now: $1) }
    }

    /// Pulls a whole stream, counting and checking the bytes.
    func receive(
        _ source: ByteStream, path: ItemPath, length: Int64?, in context: OperationContext,
        _ take: (Data) throws -> Void
    ) async throws {
        if let length { context.progress.setTotal(context.progress.current.completed + length) }
        var received: Int64 = 0
        for try await chunk in source {
            try Task.checkCancellation()
            received += Int64(chunk.count)
            if let length, received > length { throw FileError.wrongLength(path, expected: length, got: received) }
            try take(chunk)
            context.progress.advance(by: Int64(chunk.count))
        }
        try Task.checkCancellation()
        if let length, received != length { throw FileError.wrongLength(path, expected: length, got: received) }
    }

    private func chunks(of data: Data, _ range: Range<Int64>) -> ByteStream {
        ByteStream(length: Int64(range.count)) { [chunkSize] in
            let position = Locked(Int(range.lowerBound))
            return {
                try Task.checkCancellation()
                let start = position.withLock { position in
                    defer { position = min(position + chunkSize, Int(range.upperBound)) }
                    return position
                }
                let end = min(start + chunkSize, Int(range.upperBound))
                return start < end ? data.subdata(in: start..<end) : nil
            }
        }
    }
}
