import Foundation

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

extension FileProviderReadWrite {
    /// Pulls chunks and writes them at their place.
    public func defaultRead(
        path: ItemPath, range: ByteRange, into file: LocalFileHandle, at offset: Int64, in context: OperationContext
    ) async throws -> FileContents.Head {
        let contents = try await read(path: path, range: range, in: context)
        if let length = contents.head.length { context.progress.setTotal(length) }
        var position = offset
        for try await chunk in contents {
            try Task.checkCancellation()
            try file.write(chunk, at: position)
            position += Int64(chunk.count)
            context.progress.advance(by: Int64(chunk.count))
        }
        if let length = contents.head.length, position - offset != length {
            throw FileError.wrongLength(path, expected: length, got: position - offset)
        }
        return contents.head
    }

    /// Downloads to a temporary name beside `file`, then renames: complete or not at all.
    func download(_ path: ItemPath, to file: LocalPath, in context: OperationContext) async throws {
        let temporary = LocalPath(bytes: file.bytes + Array(".\(UInt64.random(in: 0 ... .max)).part".utf8))
        let descriptor = temporary.withCString { open($0, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o666) }
        guard descriptor >= 0 else { throw posixError(file, errno, writing: true) }
        let handle = LocalFileHandle(owning: descriptor)
        do {
            let head = try await read(path: path, range: .all, into: handle, at: 0, in: context)
            if let time = context.options.attributes.modificationTime ?? head.version.modificationTime {
                var times = [timespec(tv_sec: 0, tv_nsec: 0), timespec(tv_sec: 0, tv_nsec: 0)]
                times[0].tv_nsec = utimeOmit
                times[1] = timespec(tv_sec: Int(time.seconds), tv_nsec: Int(time.subsecond))
                _ = futimens(handle.descriptor, times)
            }
            if context.options.flush, fsync(handle.descriptor) != 0 { throw posixError(file, errno, writing: true) }
            let renamed = temporary.withCString { old in
                file.withCString { new in
                    context.options.overwrite ? rename(old, new) : link(old, new)
                }
            }
            guard renamed == 0 else { throw posixError(file, errno, writing: true) }
            if !context.options.overwrite { _ = temporary.withCString { unlink($0) } }
        } catch {
            _ = temporary.withCString { unlink($0) }
            throw error
        }
    }
}
