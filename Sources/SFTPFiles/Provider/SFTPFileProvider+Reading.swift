import FileProviding
import Foundation

extension SFTPFileProvider {
    /// Reads only as many bytes as the reader keeps up with. If a version is expected, it is also checked at the end.
    public func read(path: ItemPath, range: ByteRange, in context: OperationContext) async throws -> FileContents {
        let opened = try await openForReading(path, range, context.options.expecting)
        if let untold = try await untoldFile(opened, path, range) {
            var head = opened.head
            (head.length, head.totalSize) = (nil, nil)
            let bytes = ByteStream(length: nil, isReplayable: false) {
                { try await about(path) { try await untold.next() } }
            }
            return FileContents(head: head, bytes: bytes)
        }
        let original = context.options.expecting == nil ? nil : opened.attributes
        let bytes = opened.client.stream(opened.handle, opened.range, of: original) { error in
            switch error {
            case let status as SFTPStatus: sftpError(path, status, writing: false)
            case is ChangedFile: FileError.changed(path)
            case let short as ShortFile: FileError.wrongLength(path, expected: short.expected, got: short.got)
            default: error
            }
        }
        return FileContents(head: opened.head, bytes: bytes)
    }

    /// Reads on the connection's thread. If a version is expected, it is also checked at the end.
    public func read(
        path: ItemPath, range: ByteRange, into file: LocalFileHandle, at offset: Int64, in context: OperationContext
    ) async throws -> FileContents.Head {
        let opened = try await openForReading(path, range, context.options.expecting)
        if try await untoldFile(opened, path, range) != nil {
            return try await defaultRead(path: path, range: range, into: file, at: offset, in: context)
        }
        defer { opened.client.forget(.close(opened.handle)) }
        let expected = Int64(opened.range.count)
        context.progress.setTotal(expected)
        let count = try await about(path) {
            try await opened.client.read(
                opened.handle, of: opened.place, opened.attributes, confirms: context.options.expecting != nil,
                opened.range, into: file, at: offset, progress: context.progress)
        }
        guard count == expected else { throw FileError.wrongLength(path, expected: expected, got: count) }
        return opened.head
    }

    private struct OpenFile {
        let client: SFTPClient
        let handle: [UInt8]
        let place: [UInt8]
        let attributes: SFTPAttributes
        let range: Range<Int64>
        let head: FileContents.Head
    }

    private func openForReading(
        _ path: ItemPath, _ range: ByteRange, _ expecting: FileVersion?
    ) async throws -> OpenFile {
        try range.validate(path: path)
        let tree = try await tree()
        let place = try await tree.target(path)
        if let size = expecting?.size {
            tree.client.pool.prepare(for: Int64(range.resolved(size: size).count), tree.client.traits)
        }
        return try await about(path) {
            // Opening a pipe would block the server forever, so open only what was listed as a file.
            if expecting == nil {
                try refuseUnlessFile(try await tree.client.call(.stat(place)).attributes(), path)
            }
            let handle = try await tree.client.call(.open(place, .read)).handle()
            do {
                let attributes = try await tree.client.call(.fstat(handle)).attributes()
                try refuseUnlessFile(attributes, path)
                let file = FileObject(path: path, attributes)
                if let expecting, !expecting.matches(file) { throw FileError.changed(path) }
                let bytes = range.resolved(size: file.size ?? 0)
                let head = FileContents.Head(
                    offset: bytes.lowerBound, length: Int64(bytes.count), totalSize: file.size, version: file.version)
                return OpenFile(
                    client: tree.client, handle: handle, place: place, attributes: attributes, range: bytes, head: head)
            } catch {
                tree.client.forget(.close(handle))
                throw error
            }
        }
    }

    /// Returns the file if it has more bytes than its reported size; the caller then no longer has to close it.
    private func untoldFile(_ opened: OpenFile, _ path: ItemPath, _ range: ByteRange) async throws -> UnsizedFile? {
        if case .last = range { return nil }
        guard opened.attributes.size == 0 else { return nil }
        do {
            return try await about(path) {
                try await UnsizedFile.found(opened.client, opened.handle, in: range.resolved(size: .max))
            }
        } catch {
            opened.client.forget(.close(opened.handle))
            throw error
        }
    }

    private func refuseUnlessFile(_ attributes: SFTPAttributes, _ path: ItemPath) throws {
        switch attributes.type {
        case .directory: throw FileError.isADirectory(path)
        case .unknown where attributes.flags.contains(.permissions):
            throw FileError.notAFile(path)
        case .regular, .symbolicLink, .unknown:
            guard !path.namesDirectory else { throw FileError.noSuchFile(path) }
        }
    }
}
