import FileProviding
import Glibc

/// Copies of files, each in a folder of its own: whoever has an item's copy open keeps it.
extension Vault {
    private var copies: LocalPath { Vault.copies(of: folder) }

    private func copyFolder(_ copy: LocalCopy) -> LocalPath { copies.appending(copy.id.utf8) }

    /// Returns the path of a copy.
    package func path(of copy: LocalCopy) -> LocalPath { copyFolder(copy).appending(copy.name.bytes) }

    /// Returns a new path for a file being added to the vault, on the same file system as the copies.
    func incomingFile() throws -> LocalPath {
        let incoming = Vault.incoming(of: folder)
        try PrivateFile.createFolder(incoming)
        return incoming.appending(TemporaryName.make().bytes)
    }

    /// Turns a complete file, which nobody else has, into the copy of a future item: when this returns, it is on the
    /// medium with its name, which a journaling file system writes along with what follows. The vault holds it until
    /// ``letGo(_:)`` is called.
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

    /// Turns a complete file into a copy, atomically. The file is on the medium before it has its name.
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

    /// Removes a copy; does nothing if there is none.
    package func remove(_ copy: LocalCopy) throws { try Folder.remove(copyFolder(copy)) }

    /// Protects a copy that no item has yet from being treated as a leftover, until ``letGo(_:)``.
    private func hold(_ copy: LocalCopy) { held.withLock { _ = $0.insert(copy.id) } }

    /// Ends the protection: the copy has an item now, or is not needed.
    func letGo(_ copy: LocalCopy) { held.withLock { _ = $0.remove(copy.id) } }

    /// The names of copies and of files of transfers that exist at a point in time.
    struct Holdings {
        fileprivate var copies: [ItemName]
        fileprivate var transfers: [ItemName]
    }

    /// Returns what may be left over: what is being added to an item is not included.
    func holdings() throws -> Holdings {
        let copies = try copies.entryNames()
        let held = held.withLock { $0 }
        return Holdings(
            copies: copies.filter { !held.contains($0.text) },
            transfers: try Vault.transfers(of: folder).entryNames())
    }

    /// Removes what belongs to nothing because a command was interrupted before it was accepted, or before it had
    /// cleaned up.
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

    /// Gives a copy a second name where the vault no longer uses it, and returns the path: for an edit that has no
    /// place on the server. `nil` when there is no such copy. It gets only one, since a transaction that asks for it
    /// may be repeated.
    package func recover(_ copy: LocalCopy) throws -> LocalPath? {
        let path = path(of: copy)
        guard let file = Folder.status(of: path) else { return nil }
        if let place = recoveryPlaces.withLock({ $0[copy] }), let other = Folder.status(of: place),
            (other.st_dev, other.st_ino) == (file.st_dev, file.st_ino)
        {
            return place
        }
        let place = try secondName(of: path, copy)
        recoveryPlaces.withLock { $0[copy] = place }
        return place
    }

    private func secondName(of path: LocalPath, _ copy: LocalCopy) throws -> LocalPath {
        let place = try Vault.freshFolder(in: Vault.recovery(of: folder), at: clock()).appending(copy.name.bytes)
        guard path.withCString({ old in place.withCString { link(old, $0) } }) != 0 else { return place }
        let problem = errno
        // FAT and some network file systems have no second names.
        guard noHardLink.contains(problem) else { throw posixError(place, problem, writing: true) }
        try duplicate(path, at: place)
        return place
    }

    private func duplicate(_ path: LocalPath, at place: LocalPath) throws {
        let file = try incomingFile()
        do {
            let descriptor = file.withCString { open($0, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600) }
            guard descriptor >= 0 else { throw posixError(file, errno, writing: true) }
            let target = LocalFileHandle(owning: descriptor)
            let source = try LocalFileHandle(reading: path)
            var size: Int64 = 0
            while case let chunk = try source.read(at: size, count: 1 << 20), !chunk.isEmpty {
                try target.write(chunk, at: size)
                size += Int64(chunk.count)
            }
            try flush(target, of: file)
            try Folder.rename(file, to: place)
        } catch {
            try? PrivateFile.remove(file)
            throw error
        }
    }

    // MARK: Transfers

    /// Returns where a connection keeps what it needs to continue a command's transfer.
    func journal(of command: EventID) -> LocalPath { transferFile(of: command, "journal") }

    /// Returns where a download arrives, so that an interrupted one is continued.
    func arrival(of command: EventID) -> LocalPath { transferFile(of: command, "part") }

    /// Removes what was kept of a command's transfer.
    func forgetTransfer(of record: SyncRecord) throws {
        try PrivateFile.remove(journal(of: record.id))
        if record.kind == .download { try PrivateFile.remove(arrival(of: record.id)) }
    }

    /// Returns the commands for which there is a journal, whether they still exist or not.
    func journals() throws -> Set<EventID> {
        Set(try Vault.transfers(of: folder).entryNames().filter(Self.isJournal).map(Self.command))
    }

    /// Returns the command that a file belongs to. Files are named after their commands, up to the first dot, even
    /// while they are being written.
    private static func command(of file: ItemName) -> EventID {
        EventID(rawValue: String(file.text.prefix { $0 != "." }))
    }

    private static func isJournal(_ file: ItemName) -> Bool { file.text.hasSuffix(".journal") }

    private func transferFile(of command: EventID, _ kind: String) -> LocalPath {
        Vault.transfers(of: folder).appending("\(command).\(kind)")
    }
}
