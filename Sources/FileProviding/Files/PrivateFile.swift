import Foundation
import Glibc

/// Small files of this package's own (settings, keys, journals): private (0600) and replaced atomically.
package enum PrivateFile {
    /// Returns the file's bytes, or `nil` when there is no file.
    package static func read(_ path: LocalPath, limit: Int64 = 64 << 20) throws -> Data? {
        do {
            let file = try LocalFileHandle(reading: path)
            let size = try file.size()
            guard size <= limit else { throw cocoaError(path, code: .fileReadTooLarge) }
            return try file.read(at: 0, count: Int(size))
        } catch  where error.isNoSuchFile {
            return nil
        }
    }

    /// Writes, syncs and renames into place.
    package static func replace(_ path: LocalPath, with data: Data) throws {
        let slash = path.bytes.lastIndex(of: UInt8(ascii: "/"))
        let temporary = LocalPath(bytes: path.bytes[..<(slash.map { $0 + 1 } ?? 0)] + TemporaryName.random().bytes)
        let descriptor = temporary.withCString { open($0, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600) }
        guard descriptor >= 0 else { throw posixError(path, errno, writing: true) }
        let file = LocalFileHandle(owning: descriptor)
        do {
            try file.write(data, at: 0)
            guard fsync(descriptor) == 0 else { throw posixError(path, errno, writing: true) }
            guard temporary.withCString({ old in path.withCString { rename(old, $0) } }) == 0 else {
                throw posixError(path, errno, writing: true)
            }
        } catch {
            _ = temporary.withCString { unlink($0) }
            throw error
        }
    }

    /// Removes the file; a missing one is fine.
    package static func remove(_ path: LocalPath) throws {
        guard path.withCString({ unlink($0) }) == 0 || errno == ENOENT else {
            throw posixError(path, errno, writing: true)
        }
    }

    /// Creates a private folder (0700) and those above it.
    package static func createFolder(_ path: LocalPath) throws {
        if path.withCString({ mkdir($0, 0o700) }) == 0 || errno == EEXIST { return }
        guard errno == ENOENT, let cut = path.bytes.lastIndex(of: UInt8(ascii: "/")), cut > 0 else {
            throw posixError(path, errno, writing: true)
        }
        try createFolder(LocalPath(bytes: path.bytes[..<cut]))
        guard path.withCString({ mkdir($0, 0o700) }) == 0 || errno == EEXIST else {
            throw posixError(path, errno, writing: true)
        }
    }

    /// Checks that files can be written into a folder: it is not read-only, and its disk has some room.
    package static func tryWriting(into folder: LocalPath) throws {
        let path = folder.appending(TemporaryName.random().bytes)
        let descriptor = path.withCString { open($0, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600) }
        guard descriptor >= 0 else { throw posixError(folder, errno, writing: true) }
        _ = path.withCString { unlink($0) }
        defer { close(descriptor) }
        let block = [UInt8](repeating: 0, count: 4_096)
        guard pwrite(descriptor, block, block.count, 0) == block.count else {
            throw posixError(folder, errno, writing: true)
        }
    }

    /// Runs `work` while this process alone holds the lock file at `path`; waits for other holders.
    package static func locked<Result>(_ path: LocalPath, _ work: () throws -> Result) throws -> Result {
        let descriptor = path.withCString { open($0, O_RDWR | O_CREAT | O_CLOEXEC, 0o600) }
        guard descriptor >= 0 else { throw posixError(path, errno, writing: true) }
        let file = LocalFileHandle(owning: descriptor)
        while flock(file.descriptor, LOCK_EX) != 0 {
            guard errno == EINTR else { throw posixError(path, errno, writing: true) }
        }
        return try withExtendedLifetime(file) { try work() }
    }
}
