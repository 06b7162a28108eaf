import FileProviding
import Glibc

/// Copies of files, each in a folder of its own: whoever has an item's copy open keeps what it has.
extension Vault {
    private var copies: LocalPath { folder.appending("copies".utf8) }

    private func copyFolder(_ copy: LocalCopy) -> LocalPath { copies.appending(copy.id.utf8) }

    /// Where a copy lies.
    package func path(of copy: LocalCopy) -> LocalPath { copyFolder(copy).appending(copy.name.bytes) }

    /// A new path for a file on its way into the vault, on the same file system as the copies.
    package func incomingFile() throws -> LocalPath {
        let incoming = Vault.incoming(of: folder)
        try PrivateFile.createFolder(incoming)
        return incoming.appending(TemporaryName.make().bytes)
    }

    /// Makes a complete file a copy, in one step. The file is on the medium before it has its name.
    package func store(_ file: LocalPath, as copy: LocalCopy) throws {
        let descriptor = file.withCString { open($0, O_RDONLY | O_CLOEXEC) }
        guard descriptor >= 0 else { throw posixError(file, errno, writing: false) }
        let handle = LocalFileHandle(owning: descriptor)
        guard fsync(handle.descriptor) == 0 else { throw posixError(file, errno, writing: true) }
        try PrivateFile.createFolder(copyFolder(copy))
        try Folder.rename(file, to: path(of: copy))
    }

    /// Removes a copy; none is fine.
    package func remove(_ copy: LocalCopy) throws { try Folder.remove(copyFolder(copy)) }

    /// Removes the copies that belong to nothing: a command was interrupted before it was accepted.
    func removeCopies(except used: Set<String>) throws {
        for name in try Folder.names(in: copies) where !used.contains(name.text) {
            try Folder.remove(copies.appending(name.bytes))
        }
    }

    /// Gives a copy a second name where nothing of the vault touches it any more, and says where: for an edit that has no
    /// place on the server. `nil` when there is no such copy.
    package func recover(_ copy: LocalCopy) throws -> LocalPath? {
        let path = path(of: copy)
        guard Folder.exists(path) else { return nil }
        let place = try Vault.freshFolder(in: folder.appending("recovery".utf8), at: clock()).appending(copy.name.bytes)
        guard path.withCString({ old in place.withCString { link(old, $0) } }) == 0 else {
            throw posixError(place, errno, writing: true)
        }
        return place
    }

    // MARK: Transfers

    /// Where a connection keeps what it needs to continue a command's transfer.
    func journal(of command: EventID) -> LocalPath { transferFile(of: command, "journal") }

    /// Where a download arrives, so that an interrupted one is continued.
    func arrival(of command: EventID) -> LocalPath { transferFile(of: command, "part") }

    /// Removes what was kept of a command's transfer.
    func forgetTransfer(of record: SyncRecord) throws {
        try PrivateFile.remove(journal(of: record.id))
        if record.kind == .download { try PrivateFile.remove(arrival(of: record.id)) }
    }

    /// Removes what was kept of the transfers of commands that are no more: a program ended before it could.
    func removeTransfers(except commands: [EventID]) throws {
        let used = Set(commands.flatMap { [journal(of: $0), arrival(of: $0)] })
        let transfers = Vault.transfers(of: folder)
        for file in try Folder.names(in: transfers).map({ transfers.appending($0.bytes) }) where !used.contains(file) {
            try Folder.remove(file)
        }
    }

    private func transferFile(of command: EventID, _ kind: String) -> LocalPath {
        Vault.transfers(of: folder).appending("\(command).\(kind)".utf8)
    }
}
