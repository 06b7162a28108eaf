import Foundation
import Glibc

/// An open file on this machine, read and written by position, closed when the last reference is released.
///
/// Passing an open file instead of a path keeps a transfer on the file it began with, whatever is renamed or replaced
/// by a symbolic link in the meantime.
public final class LocalFileHandle: Sendable {
    /// The file descriptor. Do not close it.
    public let descriptor: Int32

    /// Creates a handle that takes ownership of an open descriptor.
    public init(owning descriptor: Int32) { self.descriptor = descriptor }

    /// Opens a file for reading, without waiting for anybody: a pipe is opened even if nobody writes to it.
    ///
    /// - Throws: `CocoaError` for a missing file, a directory or a lack of permission.
    public convenience init(reading path: LocalPath) throws {
        let descriptor = path.withCString { open($0, O_RDONLY | O_CLOEXEC | O_NONBLOCK) }
        guard descriptor >= 0 else { throw posixError(path, errno, writing: false) }
        self.init(owning: descriptor)
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw posixError(path, errno, writing: false) }
        if status.st_mode & S_IFMT == S_IFDIR { throw posixError(path, EISDIR, writing: false) }
    }

    /// What errors about an open file have as their path, which only the one who opened it knows.
    static let errorPath = "open file"

    deinit { close(descriptor) }

    /// Returns the file's current size in bytes.
    public func size() throws -> Int64 { Int64(try status().st_size) }

    /// Whether it is a file with contents and a size of its own: not a pipe, socket or device.
    public var isRegular: Bool { get throws { try status().st_mode & S_IFMT == S_IFREG } }

    private func status() throws -> stat {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw posixError(Self.errorPath, errno, writing: false) }
        return status
    }

    /// Returns the current size and modification time.
    package func version() throws -> FileVersion {
        let status = try status()
        let time = status.st_mtim
        return FileVersion(
            size: Int64(status.st_size),
            modificationTime: FileTime(seconds: Int64(time.tv_sec), nanoseconds: Int64(time.tv_nsec)))
    }

    /// Returns the file's number and when anything about it was changed last, which no program can set.
    package func changeMark() throws -> String {
        let status = try status()
        return "\(status.st_ino) \(status.st_ctim.tv_sec).\(status.st_ctim.tv_nsec)"
    }

    /// Flushes everything written to the file to the medium.
    package func synchronize() throws {
        guard fsync(descriptor) == 0 else { throw posixError(Self.errorPath, errno, writing: true) }
    }

    /// Returns up to `count` bytes from `offset`; fewer near the end, none after it.
    public func read(at offset: Int64, count: Int) throws -> Data {
        var data = Data(count: count)
        let got = try data.withUnsafeMutableBytes { try read(into: $0, at: offset) }
        if got < count { data.removeSubrange(got...) }
        return data
    }

    /// Fills `buffer` from `offset`; returns the number of bytes read.
    package func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) throws -> Int {
        var done = 0
        while done < buffer.count {
            let got = pread(descriptor, buffer.baseAddress! + done, buffer.count - done, off_t(offset) + off_t(done))
            if got < 0 {
                if errno == EINTR { continue }
                throw posixError(Self.errorPath, errno, writing: false)
            }
            if got == 0 { break }
            done += got
        }
        return done
    }

    /// Writes all bytes at `offset`, extending the file if necessary.
    public func write(_ data: Data, at offset: Int64) throws {
        try data.withUnsafeBytes { try write($0, at: offset) }
    }

    package func write(_ buffer: UnsafeRawBufferPointer, at offset: Int64) throws {
        var done = 0
        while done < buffer.count {
            let put = pwrite(descriptor, buffer.baseAddress! + done, buffer.count - done, off_t(offset) + off_t(done))
            if put < 0 {
                if errno == EINTR { continue }
                throw posixError(Self.errorPath, errno, writing: true)
            }
            done += put
        }
    }
}
