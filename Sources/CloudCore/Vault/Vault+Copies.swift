import FileProviding
import Glibc

/// Copies of files: each in a folder named after its item's permanent identifier.
extension Vault {
    private var copies: LocalPath { folder.appending("copies".utf8) }

    private func copyFolder(of id: LocalID) -> LocalPath { copies.appending(id.description.utf8) }

    /// Where an item's copy lies under the name it was stored with.
    package func copy(of id: LocalID, named name: ItemName) -> LocalPath {
        copyFolder(of: id).appending(name.bytes)
    }

    /// A new path for a file on its way into the vault, on the same file system as the copies.
    package func incomingFile() throws -> LocalPath {
        let incoming = Vault.incoming(of: folder)
        try PrivateFile.createFolder(incoming)
        return incoming.appending(TemporaryName.make().bytes)
    }

    /// Makes a complete file of ``incomingFile()`` the item's copy, in one step, replacing an earlier one.
    ///
    /// The file is on the medium before it has its name.
    package func store(_ file: LocalPath, as name: ItemName, for id: LocalID) throws {
        let descriptor = file.withCString { open($0, O_RDONLY | O_CLOEXEC) }
        guard descriptor >= 0 else { throw posixError(file, errno, writing: false) }
        let handle = LocalFileHandle(owning: descriptor)
        guard fsync(handle.descriptor) == 0 else { throw posixError(file, errno, writing: true) }
        try PrivateFile.createFolder(copyFolder(of: id))
        try Folder.rename(file, to: copy(of: id, named: name))
    }

    /// Removes an item's copy; none is fine.
    package func removeCopy(of id: LocalID) throws { try Folder.remove(copyFolder(of: id)) }

    /// Moves an item's copy where nothing of the vault touches it any more, and says where: for an edit that has no place
    /// on the server. `nil` when there is no copy.
    package func recoverCopy(of id: LocalID, named name: ItemName) throws -> LocalPath? {
        let copy = copy(of: id, named: name)
        guard Folder.exists(copy) else { return nil }
        let place = try Vault.freshFolder(in: folder.appending("recovery".utf8), at: clock()).appending(name.bytes)
        try Folder.rename(copy, to: place)
        try removeCopy(of: id)
        return place
    }
}
