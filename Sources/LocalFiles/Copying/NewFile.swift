import CPlatform
import FileProviding
import Glibc

/// A file being written in a directory: without a name where the file system supports that, otherwise under a hidden
/// one.
///
/// It is deleted with the last reference unless it was published or kept.
final class NewFile: Sendable {
    private enum Name {
        case none
        case hidden(ItemName)
        case kept(ItemName)
        /// The file is at its final place, or removed.
        case gone
    }

    /// The permissions of a file that only its owner may open.
    static let privatePermissions: mode_t = 0o600

    let file: LocalFileHandle
    private let directory: Directory
    /// Held during system calls: only users of this very file wait.
    private let name: Locked<Name>

    /// - Parameter isPrivate: whether nobody else may open it before its final permissions are set.
    init(in directory: Directory, isPrivate: Bool) throws(Errno) {
        self.directory = directory
        let permissions = isPrivate ? Self.privatePermissions : 0o666
        let unnamed = fp_open_unnamed(directory.descriptor, permissions)
        if unnamed >= 0 {
            file = LocalFileHandle(owning: unnamed)
            name = Locked(.none)
        } else {
            let hidden = TemporaryName.make()
            file = try directory.create(hidden, permissions: permissions)
            name = Locked(.hidden(hidden))
        }
    }

    /// Opens a file that was kept.
    init(kept hidden: ItemName, in directory: Directory) throws(Errno) {
        self.directory = directory
        file = try directory.openForWriting(hidden)
        name = Locked(.kept(hidden))
    }

    deinit {
        if case .hidden(let hidden) = name.withLock({ $0 }) { try? directory.remove(hidden) }
    }

    /// Whether the file outlives the program.
    var isKept: Bool { if case .kept = name.withLock({ $0 }) { true } else { false } }

    /// Makes the file outlive the program. Returns the name that it has until it is published.
    func keep() throws(Errno) -> ItemName {
        try name.withLock { name throws(Errno) in
            let hidden = try giveHiddenName(&name)
            name = .kept(hidden)
            return hidden
        }
    }

    /// Removes the file.
    func remove() throws(Errno) {
        try name.withLock { name throws(Errno) in
            switch name {
            case .hidden(let hidden), .kept(let hidden): try directory.remove(hidden)
            case .none, .gone: break
            }
            name = .gone
        }
    }

    /// Gives the file its final name atomically and returns its description, as
    /// ``Destination/receive(_:_:byRenaming:)`` does.
    func publish(at destination: Destination, _ options: OperationOptions) throws -> FileObject {
        try destination.receive(file, options) { place, replacing throws(Errno) in
            try name.withLock { name throws(Errno) in
                try put(&name, at: place, replacing: replacing)
                name = .gone
            }
        }
    }

    private func put(_ name: inout Name, at place: Place, replacing: Bool) throws(Errno) {
        if case .none = name {
            do { return try link(place.name, in: place.directory) } catch {
                // Linking cannot replace; renaming can.
                guard replacing, error.code == EEXIST else { throw error }
            }
        } else {
            // NFS, CIFS and FUSE, which mostly do not support files without a name, report a full disk only on closing.
            try file.confirmClosing()
        }
        try directory.rename(
            giveHiddenName(&name), to: place.directory, as: place.name, replacing: replacing)
    }

    private func giveHiddenName(_ name: inout Name) throws(Errno) -> ItemName {
        switch name {
        case .hidden(let hidden), .kept(let hidden): return hidden
        case .gone: throw Errno(ENOENT)
        case .none:
            let hidden = TemporaryName.make()
            try link(hidden, in: directory)
            name = .hidden(hidden)
            return hidden
        }
    }

    private func link(_ name: ItemName, in directory: Directory) throws(Errno) {
        try systemCall { name.withCString { fp_name(file.descriptor, directory.descriptor, $0) } }
    }
}

extension Directory {
    /// Opens an existing file for reading and writing.
    fileprivate func openForWriting(_ name: ItemName) throws(Errno) -> LocalFileHandle {
        let flags = O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC
        return LocalFileHandle(owning: try systemCall { name.withCString { openat(descriptor, $0, flags) } })
    }
}
