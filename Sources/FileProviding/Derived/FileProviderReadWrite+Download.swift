import CPlatform
import Foundation
import Glibc

extension FileProviderReadWrite {
    /// Pulls chunks and writes each at its offset.
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

    /// Downloads to a temporary name next to `file`, then renames: complete or not at all.
    func download(_ path: ItemPath, to file: LocalPath, in context: OperationContext) async throws {
        if !context.options.overwrite, file.withCString({ access($0, F_OK) }) == 0 {
            throw posixError(file, EEXIST, writing: true)
        }
        let folder = file.bytes.lastIndex(of: UInt8(ascii: "/")).map { file.bytes[...$0] } ?? []
        let temporary = LocalPath(bytes: folder + TemporaryName.random().bytes)
        let descriptor = temporary.withCString { open($0, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o666) }
        guard descriptor >= 0 else { throw posixError(file, errno, writing: true) }
        let handle = LocalFileHandle(owning: descriptor)
        do {
            let head = try await read(path: path, range: .all, into: handle, at: 0, in: context)
            var time = context.options.attributes.modificationTime ?? head.version.modificationTime
            // Some storages do not tell the time along with the bytes.
            if time == nil { time = try? await attributesOfItem(path: path).modificationTime }
            if let time {
                _ = FileModificationTime.set(time, of: handle.descriptor)
            }
            if context.options.flush, fsync(handle.descriptor) != 0 { throw posixError(file, errno, writing: true) }
            guard temporary.rename(to: file, replacing: context.options.overwrite) else {
                throw posixError(file, errno, writing: true)
            }
        } catch {
            _ = temporary.withCString { unlink($0) }
            throw error
        }
    }
}

extension LocalPath {
    /// Renames a file atomically; returns `false` with `errno` set when that failed, `EEXIST` when nothing was to be
    /// replaced.
    fileprivate func rename(to new: LocalPath, replacing: Bool) -> Bool {
        withCString { old in
            new.withCString { new in
                if replacing { return Glibc.rename(old, new) == 0 }
                if fp_rename_exclusive(AT_FDCWD, old, AT_FDCWD, new) == 0 { return true }
                guard errno == EINVAL || errno == ENOSYS else { return false }
                // A file system without exclusive renaming, such as NFS, has hard links; failing that, check and then
                // rename.
                if link(old, new) == 0 {
                    // The file is complete under its name, whatever becomes of the other one.
                    _ = unlink(old)
                    return true
                }
                guard noHardLink.contains(errno) else { return false }
                var status = stat()
                if lstat(new, &status) == 0 {
                    errno = EEXIST
                    return false
                }
                return errno == ENOENT && Glibc.rename(old, new) == 0
            }
        }
    }
}
