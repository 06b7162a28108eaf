import CPlatform
import FileProviding
import Foundation

extension LocalFileProvider {
    /// From this size on, space is reserved first: a full disk shows at once, and the file is less fragmented.
    private static let reservedSize: Int64 = 4 << 20

    /// Writes a file. With `options.overwrite` a file or a link at `path` is replaced, never the link's target; the new
    /// file keeps the replaced one's permissions and, where this process is allowed to, its owner.
    public func write(
        path: ItemPath, from source: ByteStream, in context: OperationContext
    ) async throws -> FileObject {
        let destination = try Destination(path, in: root, options: context.options)
        try destination.admit(directory: false)
        let isPrivate = destination.replaced != nil || context.options.attributes.permissions != nil
        let new = try about(path, writing: true) { try NewFile(in: destination.place.directory, isPrivate: isPrivate) }
        if let length = source.length {
            context.progress.setTotal(length)
            if length >= Self.reservedSize, source.localFile == nil { try reserve(length, for: new, path: path) }
        }
        let isShort = LocalThreads.isShort(source.length) && !context.options.flush
        return try await LocalThreads.run(unless: isShort) {
            try await self.fill(new, from: source, for: destination, in: context)
        }
    }

    private func fill(
        _ new: NewFile, from source: ByteStream, for destination: Destination, in context: OperationContext
    ) async throws -> FileObject {
        let path = destination.path
        let written = try await append(source, to: new.file, at: 0, path: path) { context.progress.advance(by: $0) }
        if let length = source.length, length != written {
            throw FileError.wrongLength(path, expected: length, got: written)
        }
        try Task.checkCancellation()
        try about(path, writing: true) {
            try new.file.takeAttributes(context.options.attributes, replacing: destination)
        }
        return try new.publish(at: destination, context.options)
    }

    private func reserve(_ length: Int64, for new: NewFile, path: ItemPath) throws {
        if fp_reserve(new.file.descriptor, length) == 0 { return }
        let error = Errno.last
        // Any other error only means that the file system cannot reserve.
        if [ENOSPC, EDQUOT, EFBIG].contains(error.code) { throw localError(path, error, writing: true) }
    }

    /// Writes a stream's bytes into an open file; returns the number written. A local file's bytes are copied within
    /// the kernel where possible.
    ///
    /// - Parameter onWritten: called after each piece with the number of its bytes.
    func append(
        _ source: ByteStream, to file: LocalFileHandle, at offset: Int64, path: ItemPath,
        onWritten: @escaping (Int64) throws -> Void
    ) async throws -> Int64 {
        if let slice = source.localFile {
            return try about(path, writing: true, reading: slice.expected?.path) {
                try copy(slice, to: file, at: offset, onWritten: onWritten)
            }
        }
        var position = offset
        for try await chunk in source {
            try Task.checkCancellation()
            try about(path, writing: true) { try chunk.withUnsafeBytes { try file.writeAll($0, at: position) } }
            position += Int64(chunk.count)
            try onWritten(Int64(chunk.count))
        }
        return position - offset
    }

    private func copy(
        _ slice: ByteStream.LocalFileSlice, to file: LocalFileHandle, at offset: Int64,
        onWritten: @escaping (Int64) throws -> Void
    ) throws -> Int64 {
        let bytes = FileBytes(source: slice.file, destination: file, onCopied: onWritten)
        let status = try slice.file.status()
        let isWholeFile = offset == 0 && status.size > 0 && slice.range == 0..<status.size
        if isWholeFile { try bytes.copyAll(status) }
        let count = try isWholeFile ? status.size : bytes.copy(slice.range, hasHoles: status.hasHoles, to: offset)
        try slice.confirm()
        return count
    }
}
