import CPlatform
import FileProviding
import Glibc

/// Something that is held open: what is said about it stays about it, whatever is renamed meanwhile.
protocol OpenItem {
    var descriptor: Int32 { get }
}

extension Directory: OpenItem {}
extension LocalFileHandle: OpenItem {}

extension OpenItem {
    func status() throws(Errno) -> Status {
        var status = Status()
        try systemCall { fp_status_at(descriptor, "", &status) }
        return status
    }

    /// Gives the item its permissions, where the file system has any.
    func setPermissions(_ permissions: mode_t) throws(Errno) {
        try unlessUnsupported { fchmod(descriptor, permissions) }
    }

    /// Sets when the contents last changed, where the file system keeps it.
    func setModificationTime(_ time: FileTime) throws(Errno) {
        try unlessUnsupported { futimens(descriptor, modificationTimes(time)) }
    }

    /// Gives the item to another owner where this process may; otherwise it stays with whoever made it.
    func tryToSetOwner(like status: Status) {
        if status.user != geteuid() || status.group != getegid() { _ = fchown(descriptor, status.user, status.group) }
    }

    /// Has bytes and attributes, or a directory's entries, on the medium.
    func flush() throws(Errno) { try systemCall { fsync(descriptor) } }
}

extension Directory {
    /// Sets when a link, pipe or device last changed.
    func setModificationTime(_ time: FileTime, of name: ItemName) throws(Errno) {
        try unlessUnsupported {
            name.withCString { utimensat(descriptor, $0, modificationTimes(time), AT_SYMLINK_NOFOLLOW) }
        }
    }
}

extension LocalFileHandle {
    /// Has the file system say what it says when a file is closed, and else would say to nobody.
    func confirmClosing() throws(Errno) {
        let other = try systemCall { fcntl(descriptor, F_DUPFD_CLOEXEC, 0) }
        // Closed whatever is said: never once more.
        if close(other) != 0 { throw Errno.last }
    }

    /// Writes all bytes at an offset.
    func writeAll(_ bytes: UnsafeRawBufferPointer, at offset: Int64) throws(Errno) {
        var done = 0
        while done < bytes.count {
            done += try systemCall {
                pwrite(descriptor, bytes.baseAddress! + done, bytes.count - done, off_t(offset) + off_t(done))
            }
        }
    }
}

extension LocalFileHandle {
    /// Gives a written file what it is to carry: what was asked for, else what the file had that it replaces.
    func takeAttributes(_ attributes: ItemAttributes, replacing destination: Destination) throws(Errno) {
        let (replaced, place) = (destination.replaced, destination.place)
        if let replaced { tryToSetOwner(like: replaced) }
        if let permissions = attributes.permissions {
            try setPermissions(mode_t(permissions))
        } else if let replaced {
            try setPermissions(replaced.permissions & takeAccessList(of: place.directory, place.name))
        }
        if let time = attributes.modificationTime { try setModificationTime(time) }
    }
}

/// FAT has no permissions and answers `EPERM`, others `ENOTSUP`; the file's bytes matter more.
private func unlessUnsupported(_ call: () -> Int32) throws(Errno) {
    do { try systemCall(call) } catch { guard error.code == EPERM || error.code == ENOTSUP else { throw error } }
}

/// The access time stays as it is.
func modificationTimes(_ time: FileTime) -> [timespec] {
    [timespec(tv_sec: 0, tv_nsec: utimeOmit), timespec(tv_sec: Int(time.seconds), tv_nsec: Int(time.subsecond))]
}
