import CPlatform
import FileProviding
import Glibc

/// An open directory. Items are accessed by their names in it, so that no path is resolved twice.
///
/// A name is never followed as a link: links themselves are described, renamed and removed, and opening one fails.
final class Directory: Sendable {
    let descriptor: Int32

    init(owning descriptor: Int32) { self.descriptor = descriptor }

    deinit { close(descriptor) }

    /// Opens the same directory again so that it can be read and flushed.
    func reopened() throws(Errno) -> Directory {
        Directory(owning: try systemCall { openat(descriptor, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC) })
    }

    /// Flushes the directory's entries to the medium.
    func flushEntries() throws(Errno) {
        do throws(Errno) { try reopened().flush() } catch {
            switch error.code {
            case EACCES: sync()  // A directory that may be changed and not read cannot be opened for it.
            case EINVAL: break  // The file system has nothing to flush.
            default: throw error
            }
        }
    }

    func parent() throws(Errno) -> Directory {
        Directory(owning: try systemCall { openat(descriptor, "..", fp_o_path | O_DIRECTORY | O_CLOEXEC) })
    }

    func status(of name: ItemName) throws(Errno) -> Status {
        var status = Status()
        try systemCall { name.withCString { fp_status_at(descriptor, $0, &status) } }
        return status
    }

    func statusIfPresent(of name: ItemName) throws(Errno) -> Status? {
        do { return try status(of: name) } catch {
            if error.code == ENOENT { return nil }
            throw error
        }
    }

    /// Opens any item except a link for reading, never waiting for a pipe's other end.
    ///
    /// - Throws: `EAGAIN` while another program, such as a file server, holds a lease on the file (fcntl(2)); it is
    ///   asked to give it up.
    func open(_ name: ItemName) throws(Errno) -> LocalFileHandle {
        let flags = O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC
        return LocalFileHandle(owning: try systemCall { name.withCString { openat(descriptor, $0, flags) } })
    }

    func openDirectory(_ name: ItemName) throws(Errno) -> Directory {
        let flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC
        return Directory(owning: try systemCall { name.withCString { openat(descriptor, $0, flags) } })
    }

    func linkTarget(of name: ItemName) throws(Errno) -> LinkTarget {
        try readLink { buffer, size in name.withCString { readlinkat(descriptor, $0, buffer, size) } }
    }
}

/// Returns the whole target of a link, which may be longer than its reported size.
func readLink(_ read: (UnsafeMutablePointer<CChar>, Int) -> Int) throws(Errno) -> LinkTarget {
    var size = 256
    while true {
        var buffer = [CChar](repeating: 0, count: size)
        let count = try systemCall { read(&buffer, size) }
        if count < size { return LinkTarget(bytes: buffer[..<count].lazy.map { UInt8(bitPattern: $0) }) }
        size *= 4
    }
}
