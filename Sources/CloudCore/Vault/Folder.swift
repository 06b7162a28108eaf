import FileProviding
import Glibc

/// Operations on a vault's own folders.
enum Folder {
    /// Removes a folder with everything in it; links inside are removed, not followed. A missing folder is fine.
    static func remove(_ path: LocalPath) throws {
        var status = stat()
        guard path.withCString({ lstat($0, &status) }) == 0 else {
            if errno == ENOENT { return }
            throw posixError(path, errno, writing: true)
        }
        let isFolder = status.st_mode & S_IFMT == S_IFDIR
        if isFolder { for name in try path.entryNames() { try remove(path.appending(name.bytes)) } }
        guard path.withCString({ isFolder ? rmdir($0) : unlink($0) }) == 0 || errno == ENOENT else {
            throw posixError(path, errno, writing: true)
        }
    }

    /// Renames within one file system, atomically.
    static func rename(_ old: LocalPath, to new: LocalPath) throws {
        guard old.withCString({ old in new.withCString { Glibc.rename(old, $0) } }) == 0 else {
            throw posixError(old, errno, writing: true)
        }
    }

    static func exists(_ path: LocalPath) -> Bool { status(of: path) != nil }

    /// Returns a file's `lstat` result; `nil` if there is no such file.
    static func status(of path: LocalPath) -> stat? {
        var status = stat()
        return path.withCString { lstat($0, &status) } == 0 ? status : nil
    }
}
