import FileProviding
import Glibc

/// The trashes of a user (freedesktop.org trash specification 1.0): one in the home directory, and one at the top of
/// each other file system, so that moving an item to the trash never copies it.
struct LocalTrash: Sendable {
    /// The home trash's folder as configured, or `nil` for the one in the user's home directory.
    let configured: LocalPath?
    private let user: uid_t

    init(configured: LocalPath?, user: uid_t = geteuid()) {
        self.configured = configured
        self.user = user
    }

    /// The home trash's folder, or `nil` for a user without a home.
    var home: LocalPath? {
        configured ?? UserDatabase.user(user).map { LocalPath($0.home).appending(".local/share/Trash") }
    }

    /// Returns the trash for items in `directory`, and creates it if necessary.
    ///
    /// - Throws: `ENOTSUP` when neither the home trash nor one at the top of the file system can take them.
    func folder(for directory: Directory) throws(Errno) -> TrashFolder {
        let mount = try directory.status().mount
        if let home = try homeFolder(creating: true), try home.files.status().mount == mount { return home }
        let top = try topDirectory(of: directory, mount: mount)
        if let folder = try folder(atTop: top, creating: true) { return folder }
        throw Errno(ENOTSUP)
    }

    /// Returns every existing trash that can hold items of `root`.
    func folders(for root: LocalRoot) throws(Errno) -> [TrashFolder] {
        var folders: [TrashFolder] = []
        if let home = try homeFolder(creating: false) { folders.append(home) }
        let mount = try root.directory.status().mount
        let rootPath = ItemPath(unchecked: Array(root.path.bytes.dropFirst()))
        for candidate in Mount.all() {
            let point = ItemPath(unchecked: Array(candidate.point.bytes.dropFirst()))
            guard candidate.id == mount || point.isInside(rootPath),
                let top = try? LocalRoot(candidate.point, resolution: .plain).directory,
                let folder = try? folder(atTop: top, creating: false)
            else { continue }
            folders.append(folder)
        }
        return folders
    }

    private func homeFolder(creating: Bool) throws(Errno) -> TrashFolder? {
        guard let home else { return nil }
        let isAbsolute = home.bytes.first == UInt8(ascii: "/")
        let start = try LocalRoot(LocalPath(isAbsolute ? "/" : "."), resolution: .plain)
        let path = ItemPath(unchecked: Array(home.bytes.drop { $0 == UInt8(ascii: "/") }))
        do throws(Errno) {
            let trash = try creating ? start.makeDirectories(path, permissions: 0o700) : start.directory(path)
            return try TrashFolder(trash, top: nil, creating: creating)
        } catch {
            // A user whose home is not writable may still have trashes elsewhere.
            guard [ENOENT, EACCES, EROFS, ENOTDIR].contains(error.code) else { throw error }
            return nil
        }
    }

    /// Returns the directory at the top of the file system.
    private func topDirectory(of directory: Directory, mount: UInt64) throws(Errno) -> Directory {
        var top = directory
        while true {
            let above = try top.parent()
            let (status, below) = (try above.status(), try top.status())
            if status.mount != mount || status.identity == below.identity { return top }
            top = above
        }
    }

    /// Opens `.Trash/UID`, where an administrator created a safe `.Trash`, otherwise `.Trash-UID`.
    private func folder(atTop top: Directory, creating: Bool) throws(Errno) -> TrashFolder? {
        let path = try top.absolutePath()
        let shared = ItemName(unchecked: Array(".Trash".utf8))
        if let status = try top.statusIfPresent(of: shared), status.isDirectory, status.permissions & 0o1000 != 0 {
            let directory = try top.openDirectory(shared)
            if let folder = try folder("\(user)", in: directory, top: path, creating: creating) { return folder }
        }
        return try folder(".Trash-\(user)", in: top, top: path, creating: creating)
    }

    private func folder(
        _ name: String, in directory: Directory, top: LocalPath, creating: Bool
    ) throws(Errno) -> TrashFolder? {
        let name = ItemName(unchecked: Array(name.utf8))
        do throws(Errno) {
            if creating { try directory.makeDirectoryIfMissing(name, permissions: 0o700) }
            let trash = try directory.openDirectory(name)
            guard try trash.status().user == user else { return nil }
            return try TrashFolder(trash, top: top, creating: creating)
        } catch {
            guard [ENOENT, EACCES, EPERM, EROFS, ENOTDIR, ELOOP].contains(error.code) else { throw error }
            return nil
        }
    }
}
