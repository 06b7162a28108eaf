import CPlatform
import FileProviding
import Glibc

/// The directory that a provider serves, held open, and the only way to anything in it.
///
/// A path is resolved by the kernel below the open directory (`openat2`, `RESOLVE_BENEATH`), or component by component
/// where the kernel does not support that (``PathWalk``). Either way `..` and links that leave the directory, even ones
/// that are created in the meantime, fail with `EXDEV`; links within it are followed. Nothing can leave `/`, so with
/// that root any link is followed.
final class LocalRoot: Sendable {
    /// The directory's path when it was opened, without links.
    let path: LocalPath
    let directory: Directory
    private let resolution: PathResolution

    /// Opens the directory; if it is a link, it is followed.
    ///
    /// - Parameter resolution: `nil` uses the best that this machine supports.
    init(_ path: LocalPath, resolution: PathResolution? = nil) throws(Errno) {
        let flags = fp_o_path | O_DIRECTORY | O_CLOEXEC
        let opened = Directory(owning: try systemCall { path.withCString { Glibc.open($0, flags) } })
        directory = opened
        let actual = try opened.absolutePath()
        self.path = actual
        self.resolution = resolution ?? Self.best(for: opened, at: actual)
    }

    private static func best(for directory: Directory, at path: LocalPath) -> PathResolution {
        if path.bytes == [UInt8(ascii: "/")] { return .plain }
        let probe = fp_openat2(directory.descriptor, ".", fp_o_path, fp_resolve_beneath)
        if probe >= 0 { close(probe) }
        return probe >= 0 ? .kernel : .walk  // Missing before Linux 5.6; some sandboxes refuse it.
    }

    /// Opens an item, following links in its parents, and in the last component without `O_NOFOLLOW`.
    func open(_ path: ItemPath, flags: Int32) throws(Errno) -> Int32 {
        if path.isIdentifier { throw Errno(ENOENT) }
        let relative = path.isRoot ? [UInt8(ascii: ".")] : path.bytes
        // One call takes no longer path.
        switch relative.count < Int(PATH_MAX) ? resolution : .walk {
        case .plain:
            return try systemCall { relative.withCString { openat(directory.descriptor, $0, flags | O_CLOEXEC) } }
        case .kernel:
            // EAGAIN: something was renamed while a `..` in a link was being resolved.
            for _ in 0..<16 {
                do {
                    return try systemCall {
                        relative.withCString { fp_openat2(directory.descriptor, $0, flags, fp_resolve_beneath) }
                    }
                } catch { guard error.code == EAGAIN else { throw error } }
            }
            fallthrough
        case .walk:
            return try PathWalk(from: directory).open(relative, flags: flags)
        }
    }

    /// Opens a directory for accessing its items, though not for reading its entries.
    func directory(_ path: ItemPath) throws(Errno) -> Directory {
        if path.isRoot { return directory }
        return Directory(owning: try open(path, flags: fp_o_path | O_DIRECTORY))
    }

    /// Returns the status of the item itself or, with a trailing slash, of what it leads to, as everywhere in Unix.
    func status(of path: ItemPath) throws(Errno) -> (status: Status, link: LinkTarget?) {
        let item = Directory(owning: try open(path, flags: fp_o_path | (path.namesDirectory ? 0 : O_NOFOLLOW)))
        let status = try item.status()
        guard status.isDirectory || !path.namesDirectory else { throw Errno(ENOENT) }
        // It was removed after it was opened.
        guard !path.isRoot || status.linkCount > 0 else { throw Errno(ENOENT) }
        guard status.isLink else { return (status, nil) }
        return (status, try readLink { buffer, size in readlinkat(item.descriptor, "", buffer, size) })
    }

    /// Returns the open parent and the name of an item other than the root.
    ///
    /// - Parameter creatingParents: whether missing parents are created.
    func place(of path: ItemPath, creatingParents: Bool = false) throws(Errno) -> Place {
        if path.isIdentifier { throw Errno(ENOENT) }
        guard let parent = path.parent, let name = path.lastComponent else { throw Errno(EBUSY) }
        return Place(directory: try creatingParents ? makeDirectories(parent) : directory(parent), name: name)
    }

    /// Opens a directory, creating it and those above it where they are missing.
    func makeDirectories(_ path: ItemPath, permissions: mode_t = 0o777) throws(Errno) -> Directory {
        do { return try directory(path) } catch {
            guard error.code == ENOENT, let parent = path.parent, let name = path.lastComponent else { throw error }
            try makeDirectories(parent).makeDirectoryIfMissing(name, permissions: permissions)
            return try directory(path)
        }
    }
}

/// How the paths below a root are resolved.
package enum PathResolution: Sendable {
    /// As by any other program, for a root that contains everything.
    case plain
    /// By the kernel, confined to the root.
    case kernel
    /// Component by component, confined to the root.
    case walk
}

/// An item's name in its open directory, which stays the same directory whatever happens to the path in the meantime.
struct Place {
    let directory: Directory
    let name: ItemName

    func status() throws(Errno) -> Status { try directory.status(of: name) }
}

extension Directory {
    /// Returns the directory's current path, as the kernel reports it.
    func absolutePath() throws(Errno) -> LocalPath {
        LocalPath(bytes: try readLink { buffer, size in readlink("/proc/self/fd/\(descriptor)", buffer, size) }.bytes)
    }
}
