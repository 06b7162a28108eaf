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
        if isFolder { for name in try names(in: path) { try remove(path.appending(name.bytes)) } }
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

    /// Returns the names in a folder, in no order; none for a missing one.
    static func names(in path: LocalPath) throws -> [ItemName] {
        guard let stream = path.withCString({ opendir($0) }) else {
            if errno == ENOENT { return [] }
            throw posixError(path, errno, writing: false)
        }
        defer { closedir(stream) }
        var names: [ItemName] = []
        while let entry = readdir(stream) {
            let bytes = withUnsafeBytes(of: &entry.pointee.d_name) { Array($0.prefix { $0 != 0 }) }
            if let name = try? ItemName(validating: bytes) { names.append(name) }
        }
        return names
    }
}
