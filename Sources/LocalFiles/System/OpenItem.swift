import CPlatform
import FileProviding
import Glibc

/// Something that is held open, so that operations stay on the same item whatever is renamed in the meantime.
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

    /// Sets the item's permissions, where the file system has any.
    func setPermissions(_ permissions: mode_t) throws(Errno) {
        try unlessUnsupported { fchmod(descriptor, permissions) }
    }

    /// Sets the modification time, where the file system stores it.
    func setModificationTime(_ time: FileTime) throws(Errno) {
        try unlessUnsupported { FileModificationTime.set(time, of: descriptor) }
    }

    /// Changes the item's owner where this process is allowed to; otherwise the owner stays the user who created it.
    func tryToSetOwner(like status: Status) {
        // A new item's group need not be this process's: a set-group-ID directory gives its own.
        if let own = try? self.status(), own.user == status.user, own.group == status.group { return }
        // The group alone may be one of this user's.
        if fchown(descriptor, status.user, status.group) != 0 { _ = fchown(descriptor, .max, status.group) }
    }

    /// Takes over the permissions, the access list and, if this process may set it, the owner of the file that this one
    /// replaces.
    func succeed(_ replaced: Status, at place: Place) throws(Errno) {
        tryToSetOwner(like: replaced)
        let own = try status()
        var permissions = replaced.permissions & takeAccessList(of: place.directory, place.name)
        // What an owner or group may do, another one may not.
        if own.user != replaced.user { permissions &= ~0o4000 }
        if own.group != replaced.group { permissions &= ~0o2070 | (permissions & 0o007) << 3 }
        try setPermissions(permissions)
    }

    /// Flushes bytes and attributes, or a directory's entries, to the medium.
    func flush() throws(Errno) { try systemCall { fsync(descriptor) } }
}

extension Directory {
    /// Sets the modification time of a link, pipe or device.
    func setModificationTime(_ time: FileTime, of name: ItemName) throws(Errno) {
        try unlessUnsupported {
            name.withCString { FileModificationTime.set(time, of: $0, in: descriptor, flags: AT_SYMLINK_NOFOLLOW) }
        }
    }
}

extension LocalFileHandle {
    /// Makes the file system report the errors that it reports when a file is closed, which would otherwise be lost.
    func confirmClosing() throws(Errno) {
        let other = try systemCall { fcntl(descriptor, F_DUPFD_CLOEXEC, 0) }
        // The descriptor is closed whatever the result: never close it again.
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
    /// Sets the attributes of a written file: the requested ones, otherwise those of the file that it replaces.
    func takeAttributes(_ attributes: ItemAttributes, replacing destination: Destination) throws(Errno) {
        let replaced = destination.replaced
        if let permissions = attributes.permissions {
            if let replaced { tryToSetOwner(like: replaced) }
            try setPermissions(mode_t(permissions))
        } else if let replaced {
            try succeed(replaced, at: destination.place)
        }
        if let time = attributes.modificationTime { try setModificationTime(time) }
    }
}

/// FAT has no permissions and answers `EPERM`, other file systems `ENOTSUP`; the file's bytes matter more.
private func unlessUnsupported(_ call: () -> Int32) throws(Errno) {
    do { try systemCall(call) } catch { guard error.code == EPERM || error.code == ENOTSUP else { throw error } }
}
