import CPlatform
import FileProviding
import Foundation
import Glibc
import Synchronization

/// Copies items of any kind, directories with everything below them, to names that nobody else knows yet.
///
/// Contents, permissions (limited by the umask) and modification times are kept, and, if both file systems support
/// them, extended attributes and access lists. Links are copied as links and never followed. A second thread copies one
/// subtree at a time. The copy stops at the first failure, whose error names the item.
struct TreeCopy: Sendable {
    /// Whether the copies keep the originals' owners, as after a move; only where this process is allowed to.
    var keepsOwner = false
    /// Whether everything is flushed to the medium at the end.
    var flushes = false
    /// The most bytes to copy from directories.
    var mostBytes: Int64?

    /// An open directory and its path for error messages.
    struct Side: Sendable {
        let directory: Directory
        let path: ItemPath
    }

    private let helper = Helper()

    /// The total size in bytes of the files copied so far.
    var bytes: Int64 { helper.bytes.load(ordering: .relaxed) }

    init(keepsOwner: Bool = false, flushes: Bool = false, mostBytes: Int64? = nil) {
        self.keepsOwner = keepsOwner
        self.flushes = flushes
        self.mostBytes = mostBytes
    }

    /// Copies one item to a free name.
    ///
    /// - Parameter path: the copy's final path, for error messages.
    func copy(
        _ name: ItemName, of source: Side, to directory: Directory, as newName: ItemName, path: ItemPath
    ) async throws {
        let origin = source.path.appending(name)
        let status = try about(origin) { try source.directory.status(of: name) }
        switch status.type {
        case .regular:
            try await copyFile(name, of: source, to: directory, as: newName, path: path)
        case .directory:
            try await copyDirectory(name, of: source, to: directory, as: newName, path: path)
        case .symbolicLink, .unknown:
            let link = try status.isLink ? about(origin) { try source.directory.linkTarget(of: name) } : nil
            try about(path, writing: true) {
                if let link {
                    try directory.makeLink(newName, to: link)
                } else {
                    var made = status
                    if !keepsOwner { made.mode &= ~UInt32(FileCreationMask.current) }
                    try directory.makeSpecial(newName, like: made)
                }
                if keepsOwner { directory.tryToSetOwner(like: status, of: newName) }
                try directory.setModificationTime(FileTime(nanoseconds: status.modified), of: newName)
            }
        }
    }

    /// - Parameter outermost: the copy that contains this one; `nil` for the first.
    private func copyDirectory(
        _ name: ItemName, of source: Side, to directory: Directory, as newName: ItemName, path: ItemPath,
        outermost: FileIdentity? = nil
    ) async throws {
        let origin = source.path.appending(name)
        let inner = Side(directory: try about(origin) { try source.directory.openDirectory(name) }, path: origin)
        let copy = try about(path, writing: true) {
            try directory.makeDirectory(newName, permissions: 0o700)
            return Side(directory: try directory.openDirectory(newName), path: path)
        }
        let identity = try about(path) { try copy.directory.status().identity }
        try await copyEntries(of: inner, to: copy, outermost: outermost ?? identity)
    }

    private func copyEntries(of source: Side, to target: Side, outermost: FileIdentity) async throws {
        let status = try about(source.path) { try source.directory.status() }
        // A mount can make the copy appear within the original.
        guard status.identity != outermost else { throw FileError.intoItself(target.path) }
        try await withThrowingTaskGroup(of: Void.self) { group in
            let reader = DirectoryReader(source.directory)
            while let entry = try about(source.path, { try reader.next() }) {
                try Task.checkCancellation()
                let path = target.path.appending(entry.name)
                if try about(path, { try source.directory.isDirectory(entry.name, knownAs: entry.type) }) {
                    let copy = { @Sendable in
                        try await copyDirectory(
                            entry.name, of: source, to: target.directory, as: entry.name, path: path,
                            outermost: outermost)
                    }
                    if helper.claim() {
                        group.addTask {
                            defer { helper.release() }
                            try await copy()
                        }
                    } else {
                        try await copy()
                    }
                } else if entry.type == UInt8(DT_REG) {
                    try await copyFile(entry.name, of: source, to: target.directory, as: entry.name, path: path)
                } else {
                    try await copy(entry.name, of: source, to: target.directory, as: entry.name, path: path)
                }
            }
            try await group.waitForAll()
        }
        try about(target.path, writing: true) { try finish(target.directory, like: source.directory, status) }
    }

    private func copyFile(
        _ name: ItemName, of source: Side, to directory: Directory, as newName: ItemName, path: ItemPath
    ) async throws {
        let origin = source.path.appending(name)
        let original = try await source.directory.openAwaitingLease(name, path: origin)
        try about(path, writing: true, reading: origin) {
            let status = try original.status()
            guard status.isRegularFile else { throw ReadFailure(cause: Errno(ESTALE)) }
            if let mostBytes, status.size > mostBytes - bytes {
                throw FileError.unsupported(path, "a folder of more than \(mostBytes) bytes")
            }
            let copy = try directory.create(newName, permissions: 0o600)
            try fill(copy, from: original, status)
            try finish(copy, like: original, status)
            if !flushes { try copy.confirmClosing() }
            helper.bytes.wrappingAdd(status.size, ordering: .relaxed)
        }
    }

    /// Copies a file's bytes into an empty file.
    ///
    /// - Throws: a ``ReadFailure`` with `ESTALE` if the source changed meanwhile, since the copy may then mix two
    ///   versions.
    func fill(_ copy: LocalFileHandle, from original: LocalFileHandle, _ status: Status) throws {
        try FileBytes(source: original, destination: copy, isTemporary: true).copyAll(status)
        guard try original.status().isUnchanged(since: status) else { throw ReadFailure(cause: Errno(ESTALE)) }
    }

    /// Sets a copied file's or directory's attributes.
    ///
    /// - Parameter destination: if the copy replaces a file, it takes over that file's owner, permissions and access
    ///   list.
    func finish(
        _ copy: some OpenItem, like original: some OpenItem, _ status: Status, replacing destination: Destination? = nil
    ) throws(Errno) {
        if let destination, let replaced = destination.replaced {
            try copy.takeExtendedAttributes(of: original)
            try copy.succeed(replaced, at: destination.place)
        } else {
            if keepsOwner { copy.tryToSetOwner(like: status) }
            let hasAccessList = try copy.takeExtendedAttributes(of: original)
            // A new item without a list of its own gets the directory's; what was moved has none afterwards either.
            if keepsOwner, let original = original as? Directory { copy.takeDefaultAccessList(of: original) }
            let permissible = hasAccessList || keepsOwner ? copy.takeAccessList(of: original) : 0o7777
            try copy.setPermissions(permissions(of: copy, like: status) & permissible)
        }
        try copy.setModificationTime(FileTime(nanoseconds: status.modified))
        if flushes { try copy.flush() }
    }

    /// Returns the permissions for a copy: limited by the umask unless the owner is kept, and without set-user-ID and
    /// set-group-ID bits if the copy has another owner or group.
    private func permissions(of copy: some OpenItem, like status: Status) throws(Errno) -> mode_t {
        var status = status
        if !keepsOwner { status.mode &= ~UInt32(FileCreationMask.current) }
        let special: mode_t = 0o6000
        guard status.permissions & special != 0, status.isRegularFile else { return status.permissions }
        guard keepsOwner else { return status.permissions & ~special }
        let actual = try copy.status()
        let isSameOwner = actual.user == status.user && actual.group == status.group
        return isSameOwner ? status.permissions : status.permissions & ~special
    }
}

/// Whether the second thread is busy.
private final class Helper: Sendable {
    private let isBusy = Atomic(false)
    let bytes = Atomic<Int64>(0)

    func claim() -> Bool { isBusy.compareExchange(expected: false, desired: true, ordering: .acquiring).exchanged }

    func release() { isBusy.store(false, ordering: .releasing) }
}
