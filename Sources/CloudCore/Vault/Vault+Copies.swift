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

    /// Makes a complete file, which nobody else has, the copy of an item to be: when this returns, it is on the medium with its
    /// name, which a journaling file system writes along with what comes behind it. The vault holds it until it is told to
    /// ``letGo(_:)``.
    func take(_ file: LocalPath, as copy: LocalCopy) throws {
        hold(copy)
        do {
            let handle = try LocalFileHandle(reading: file)
            try give(file, to: copy)
            try flush(handle, of: file)
        } catch {
            letGo(copy)
            try? remove(copy)
            throw error
        }
    }

    /// Makes a complete file a copy, in one step. The file is on the medium before it has its name.
    package func store(_ file: LocalPath, as copy: LocalCopy) throws {
        try flush(LocalFileHandle(reading: file), of: file)
        try give(file, to: copy)
    }

    private func give(_ file: LocalPath, to copy: LocalCopy) throws {
        try PrivateFile.createFolder(copyFolder(copy))
        try Folder.rename(file, to: path(of: copy))
    }

    private func flush(_ handle: LocalFileHandle, of file: LocalPath) throws {
        guard fsync(handle.descriptor) == 0 else { throw posixError(file, errno, writing: true) }
    }

    /// Removes a copy; none is fine.
    package func remove(_ copy: LocalCopy) throws { try Folder.remove(copyFolder(copy)) }

    /// Keeps a copy that no item has yet from being taken for a leftover, until ``letGo(_:)``.
    private func hold(_ copy: LocalCopy) { held.withLock { _ = $0.insert(copy.id) } }

    /// The copy has an item now, or is not needed.
    func letGo(_ copy: LocalCopy) { held.withLock { _ = $0.remove(copy.id) } }

    /// The names of copies and of files of transfers that there are at a moment.
    struct Holdings {
        fileprivate var copies: [ItemName]
        fileprivate var transfers: [ItemName]
    }

    /// What there is that may be left over: what is on its way to an item is not.
    func holdings() throws -> Holdings {
        let copies = try Folder.names(in: copies)
        let held = held.withLock { $0 }
        return Holdings(
            copies: copies.filter { !held.contains($0.text) },
            transfers: try Folder.names(in: Vault.transfers(of: folder)))
    }

    /// Removes what belongs to nothing: a command was interrupted before it was accepted, or before it had cleaned up.
    func remove(_ holdings: Holdings, exceptCopies used: Set<String>, commands: [EventID]) throws {
        for name in holdings.copies where !used.contains(name.text) {
            try Folder.remove(copies.appending(name.bytes))
        }
        let living = Set(commands.map(\.rawValue))
        for file in holdings.transfers
        where !living.contains(Self.command(of: file).rawValue) && !Self.isJournal(file) {
            try Folder.remove(Vault.transfers(of: folder).appending(file.bytes))
        }
    }

    /// Gives a copy a second name where nothing of the vault touches it any more, and says where: for an edit that has no
    /// place on the server. `nil` when there is no such copy.
    package func recover(_ copy: LocalCopy) throws -> LocalPath? {
        let path = path(of: copy)
        guard Folder.exists(path) else { return nil }
        let place = try Vault.freshFolder(in: Vault.recovery(of: folder), at: clock()).appending(copy.name.bytes)
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

    /// The commands of which there is a journal, living or not.
    func journals() throws -> Set<EventID> {
        Set(try Folder.names(in: Vault.transfers(of: folder)).filter(Self.isJournal).map(Self.command))
    }

    /// Files are named after their commands, up to the first dot, also while they are being written.
    private static func command(of file: ItemName) -> EventID {
        EventID(rawValue: String(file.text.prefix { $0 != "." }))
    }

    private static func isJournal(_ file: ItemName) -> Bool { file.text.hasSuffix(".journal") }

    private func transferFile(of command: EventID, _ kind: String) -> LocalPath {
        Vault.transfers(of: folder).appending("\(command).\(kind)".utf8)
    }
}
