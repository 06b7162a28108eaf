import FileProviding
import Foundation
import Glibc

extension LocalFileProvider: FileProviderPartialWrite {
    /// Begins or continues a file without a name, or a hidden one. Once its state has been read it is a hidden file
    /// next to the final one, which outlives the program; it is continued as long as it is the same file and has the
    /// acknowledged bytes. With `options.flush` these are flushed to the medium.
    public func beginPartialWrite(
        path: ItemPath, length: Int64?, resuming state: ResumableUpload.State?, in context: OperationContext
    ) async throws -> any ResumableUpload {
        let destination = try Destination(path, in: root, options: context.options)
        try destination.admit(directory: false)
        let directory = destination.place.directory
        let isPrivate = destination.replaced != nil || context.options.attributes.permissions != nil
        let file = try about(path, writing: true) {
            try PartialFile(resuming: state, for: path, length: length, in: directory)
                ?? PartialFile(for: path, length: length, in: directory, isPrivate: isPrivate)
        }
        if let length { context.progress.setTotal(length) }
        return LocalPartialWrite(
            provider: self, path: path, place: destination.place, length: length, part: file,
            flushes: context.options.flush)
    }
}

/// A file of a local provider that takes its bytes in parts.
struct LocalPartialWrite: ResumableUpload {
    /// The most bytes to write before they are flushed and so acknowledged.
    private static let flushInterval: Int64 = 64 << 20

    let provider: LocalFileProvider
    let path: ItemPath
    let place: Place
    let length: Int64?
    let part: PartialFile
    let flushes: Bool

    func saveState() throws -> State { try about(path, writing: true) { try part.saveState() } }

    var acknowledged: Int64 { part.acknowledged }

    var localFile: LocalFileHandle? { part.file }

    func append(_ bytes: ByteStream, in context: OperationContext) async throws {
        try await LocalThreads.run {
            var written = part.acknowledged
            let start = written
            _ = try await provider.append(bytes, to: part.file, at: start, path: path) { count in
                written += count
                if !flushes || written - part.acknowledged >= Self.flushInterval { try confirm(written) }
                context.progress.raise(to: written)
            }
            try confirm(written)
        }
    }

    func acknowledge(upTo offset: Int64) async throws {
        let size = try about(path, writing: true) { try part.file.status().size }
        guard offset <= size else { throw FileError.wrongLength(path, expected: offset, got: size) }
        try await LocalThreads.run(unless: !flushes) { try confirm(offset) }
    }

    func commit(in context: OperationContext) async throws -> FileObject {
        let total = part.acknowledged
        if let length, length != total { throw FileError.wrongLength(path, expected: length, got: total) }
        // After a long time, use the directory that the path leads to now.
        let destination =
            part.isKept
            ? try Destination(path, in: provider.root, options: context.options)
            : try Destination(path, at: place, options: context.options)
        try destination.admit(directory: false)
        try about(path, writing: true) {
            try part.cut(to: total)
            var attributes = context.options.attributes
            if attributes.permissions == nil, destination.replaced == nil {
                // The file that it was to replace may be gone in the meantime.
                attributes.permissions = try part.missingPermissions(in: destination.place.directory).map(UInt16.init)
            }
            try part.file.takeAttributes(attributes, replacing: destination)
        }
        return try await LocalThreads.run(unless: !context.options.flush) {
            try part.publish(at: destination, context.options)
        }
    }

    func abort() async throws {
        try about(path, writing: true) { try part.remove() }
    }

    private func confirm(_ offset: Int64) throws {
        if flushes { try about(path, writing: true) { try part.file.flush() } }
        part.acknowledge(upTo: offset)
    }
}
