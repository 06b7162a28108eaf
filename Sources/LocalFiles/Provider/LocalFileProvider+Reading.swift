import FileProviding
import Foundation
import Glibc

extension LocalFileProvider: FileProviderLocalAccess {
    /// Opens a file, following links within the root; never waits for a pipe's other end.
    public func openLocalFile(path: ItemPath) async throws -> LocalFileHandle { try await openFile(path).file }

    /// Reads from the file that was opened, even when another file takes its name in the meantime.
    public func read(path: ItemPath, range: ByteRange, in context: OperationContext) async throws -> FileContents {
        let (file, status) = try await openFile(path, expecting: context.options.expecting)
        let (head, bytes) = try contents(path, range, of: status)
        if status.size == 0, let untold = untoldBytes(of: file, range) {
            let head = FileContents.Head(offset: head.offset, length: nil, totalSize: nil, version: head.version)
            return FileContents(head: head, bytes: untold)
        }
        return FileContents(head: head, bytes: ByteStream(slice(file, bytes, path, context)))
    }

    /// Copies within the kernel where possible, keeping holes.
    public func read(
        path: ItemPath, range: ByteRange, into file: LocalFileHandle, at offset: Int64, in context: OperationContext
    ) async throws -> FileContents.Head {
        let (source, status) = try await openFile(path, expecting: context.options.expecting)
        let (head, bytes) = try contents(path, range, of: status)
        if status.size == 0, untoldBytes(of: source, range) != nil {
            return try await defaultRead(path: path, range: range, into: file, at: offset, in: context)
        }
        context.progress.setTotal(Int64(bytes.count))
        let slice = slice(source, bytes, path, context)
        let copied = try await LocalThreads.run(unless: LocalThreads.isShort(Int64(bytes.count))) {
            try about(path) {
                let copy = FileBytes(source: source, destination: file) {
                    context.progress.advance(by: $0)
                }
                let count = try copy.copy(bytes, hasHoles: status.hasHoles, to: offset)
                try slice.confirm()
                return count
            }
        }
        guard copied == bytes.count else {
            throw FileError.wrongLength(path, expected: Int64(bytes.count), got: copied)
        }
        return head
    }

    private func slice(
        _ file: LocalFileHandle, _ range: Range<Int64>, _ path: ItemPath, _ context: OperationContext
    ) -> ByteStream.LocalFileSlice {
        let expected = context.options.expecting.map { (path: path, version: $0) }
        return ByteStream.LocalFileSlice(file: file, range: range, expected: expected)
    }

    /// Returns the bytes of a file that claims to have none; `nil` for a file that is really empty.
    private func untoldBytes(of file: LocalFileHandle, _ range: ByteRange) -> ByteStream? {
        if case .last = range { return nil }
        return ByteStream(unsizedBytesOf: file, range.resolved(size: .max))
    }

    private func openFile(
        _ path: ItemPath, expecting: FileVersion? = nil
    ) async throws -> (file: LocalFileHandle, status: Status) {
        let file = try await openForReading(path)
        let status = try about(path) { try file.status() }
        if status.isDirectory { throw FileError.isADirectory(path) }
        guard !path.namesDirectory else { throw FileError.noSuchFile(path) }
        guard status.isRegularFile else { throw FileError.notAFile(path) }
        if let expecting, !expecting.matches(FileObject(path: path, status: status)) { throw FileError.changed(path) }
        return (file, status)
    }

    private func openForReading(_ path: ItemPath) async throws -> LocalFileHandle {
        do {
            return LocalFileHandle(
                owning: try await Lease.awaiting { () throws(Errno) in
                    try root.open(path, flags: O_RDONLY | O_NONBLOCK | O_NOCTTY)
                })
        } catch let error as Errno {
            // The errors of a socket, and of a device without a driver.
            throw error.code == ENXIO || error.code == ENODEV
                ? FileError.notAFile(path) : localError(path, error, writing: false)
        }
    }

    private func contents(
        _ path: ItemPath, _ range: ByteRange, of status: Status
    ) throws -> (head: FileContents.Head, bytes: Range<Int64>) {
        try range.validate(path: path)
        let bytes = range.resolved(size: status.size)
        let version = FileObject(path: path, status: status).version
        let head = FileContents.Head(
            offset: bytes.lowerBound, length: Int64(bytes.count), totalSize: status.size, version: version)
        return (head, bytes)
    }
}
