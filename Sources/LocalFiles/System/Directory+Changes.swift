import CPlatform
import FileProviding
import Glibc

extension Directory {
    /// Creates a file for reading and writing; fails if the name exists.
    func create(_ name: ItemName, permissions: mode_t) throws(Errno) -> LocalFileHandle {
        let flags = O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC
        return LocalFileHandle(
            owning: try systemCall { name.withCString { openat(descriptor, $0, flags, permissions) } })
    }

    func makeDirectory(_ name: ItemName, permissions: mode_t = 0o777) throws(Errno) {
        try systemCall { name.withCString { mkdirat(descriptor, $0, permissions) } }
    }

    func makeDirectoryIfMissing(_ name: ItemName, permissions: mode_t = 0o777) throws(Errno) {
        do { try makeDirectory(name, permissions: permissions) } catch {
            guard error.code == EEXIST else { throw error }
        }
    }

    func makeLink(_ name: ItemName, to target: LinkTarget) throws(Errno) {
        try systemCall { target.bytes.withCString { text in name.withCString { symlinkat(text, descriptor, $0) } } }
    }

    /// Creates a pipe, socket or device file.
    func makeSpecial(_ name: ItemName, like status: Status) throws(Errno) {
        try systemCall { name.withCString { mknodat(descriptor, $0, status.mode & ~0o7000, dev_t(status.target)) } }
        try systemCall { name.withCString { fchmodat(descriptor, $0, status.permissions, AT_SYMLINK_NOFOLLOW) } }
    }

    /// Changes the owner of a link, pipe or device where this process is allowed to.
    func tryToSetOwner(like status: Status, of name: ItemName) {
        _ = name.withCString { fchownat(descriptor, $0, status.user, status.group, AT_SYMLINK_NOFOLLOW) }
    }

    /// Gives the owner full access to a subdirectory, if this process may do so.
    func tryToOpenToOwner(_ name: ItemName) {
        let found = name.withCString { openat(descriptor, $0, fp_o_path | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC) }
        guard found >= 0 else { return }
        // An `O_PATH` descriptor does not work with `fchmod`.
        _ = chmod("/proc/self/fd/\(found)", 0o700)
        close(found)
    }

    func remove(_ name: ItemName) throws(Errno) {
        try systemCall { name.withCString { unlinkat(descriptor, $0, 0) } }
    }

    func removeDirectory(_ name: ItemName) throws(Errno) {
        try systemCall { name.withCString { unlinkat(descriptor, $0, AT_REMOVEDIR) } }
    }

    /// Renames an item into this or another directory of the same file system.
    ///
    /// - Parameter replacing: whether an item with the new name is replaced; otherwise it is `EEXIST`, even when two
    ///   processes race.
    func rename(_ name: ItemName, to directory: Directory, as newName: ItemName, replacing: Bool) throws(Errno) {
        if replacing { return try renamePlainly(name, to: directory, as: newName) }
        do {
            try systemCall {
                name.withCString { old in
                    newName.withCString { fp_rename_exclusive(descriptor, old, directory.descriptor, $0) }
                }
            }
        } catch {
            guard error.code == EINVAL || error.code == ENOSYS else { throw error }
            try renameByLinking(name, to: directory, as: newName)
        }
    }

    /// Renames without replacing on file systems without an exclusive rename, such as NFS: adds a second name, then
    /// removes the first. Directories cannot have a second name, and on some file systems nothing can: there it checks
    /// first.
    private func renameByLinking(_ name: ItemName, to directory: Directory, as newName: ItemName) throws(Errno) {
        if try !status(of: name).isDirectory, try link(name, to: directory, as: newName) { return try remove(name) }
        guard try directory.statusIfPresent(of: newName) == nil else { throw Errno(EEXIST) }
        try renamePlainly(name, to: directory, as: newName)
    }

    /// Adds a second name to a file; returns whether the file system supports that.
    private func link(_ name: ItemName, to directory: Directory, as newName: ItemName) throws(Errno) -> Bool {
        do {
            try systemCall {
                name.withCString { old in newName.withCString { linkat(descriptor, old, directory.descriptor, $0, 0) } }
            }
            return true
        } catch {
            guard noHardLink.contains(error.code) else { throw error }
            return false
        }
    }

    private func renamePlainly(_ name: ItemName, to directory: Directory, as newName: ItemName) throws(Errno) {
        try systemCall {
            name.withCString { old in newName.withCString { renameat(descriptor, old, directory.descriptor, $0) } }
        }
    }
}
