import CloudCore
import FileProviders

extension OpenVault {
    /// Returns the item at a path, as the vault knows it.
    func existing(_ path: ItemPath) async throws -> Item {
        if let item = try await core.item(at: path) { return item }
        try await requireListed()
        var folder = path.parent
        while let above = folder {
            if let known = try await core.item(at: above) {
                try await requireListed(known)
                break
            }
            folder = above.parent
        }
        throw FileError.noSuchFile(ShownName.escaped(name(of: path)))
    }

    /// Throws if the vault has never listed its root, so that an item unknown to it may still exist on the server.
    func requireListed() async throws {
        guard try await !core.isListed(.root) else { return }
        let wasDamaged = try await core.issues().contains { $0.id.kind == .databaseRebuilt }
        throw Refusal(
            location.description,
            wasDamaged
                ? "the vault's database was damaged, and nothing has been listed since" : "nothing was ever listed",
            remedy: "to do so: fp vault sync", isAboutAccess: false)
    }

    /// Throws if a folder has not been listed, so that what is unknown there may still exist on the server.
    func requireListed(_ folder: Item) async throws {
        guard folder.isDirectory, try await !core.isListed(folder.localID) else { return }
        throw Refusal(
            ShownName.escaped(name(of: folder.path)), "not listed yet", remedy: "to do so: fp vault sync",
            isAboutAccess: false)
    }

    /// Creates a folder and its missing parents.
    func makeFolders(_ path: ItemPath, in invocation: Invocation) async throws {
        if let folder = try await core.item(at: path) {
            guard folder.isDirectory else { throw FileError.exists(ShownName.escaped(name(of: path))) }
            return
        }
        if let parent = path.parent { try await makeFolders(parent, in: invocation) }
        let place = try await place(of: path)
        let command = Command.createFolder(place.name, in: place.directory)
        // Report only the last folder; the others are sent before it.
        if path == self.path { try await perform(command, in: invocation) } else { _ = try await core.submit(command) }
    }

    /// Returns the pinned folder above a path, if there is one.
    func pinned(above path: ItemPath) async throws -> ItemPath? {
        let pinned = Set(try await core.policies().filter { $0.kind == .availableOffline }.map(\.itemID))
        var above = path
        while let parent = above.parent {
            if let folder = try await core.item(at: parent), pinned.contains(folder.localID) { return parent }
            above = parent
        }
        return nil
    }

    /// Returns the place of a new item with this path: its directory and its name.
    func place(of path: ItemPath) async throws -> (directory: LocalID, name: ItemName) {
        guard let parent = path.parent, let name = path.lastComponent else {
            throw Refusal(location.description, "that is the root", isAboutAccess: false)
        }
        guard let directory = try await core.item(at: parent) else {
            try await requireListed()
            throw Refusal.missingFolder(of: ShownName.escaped(self.name(of: path)), isInVault: true)
        }
        guard directory.isDirectory else {
            throw Refusal(ShownName.escaped(self.name(of: parent)), "not a folder", isAboutAccess: false)
        }
        return (directory.localID, name)
    }

    /// Accepts a command, and sends it to the server if that can be reached now; otherwise reports what it waits for,
    /// unless it only fetches a file of which there is a copy.
    ///
    /// - Parameter place: where the item is to be; that it has come to be elsewhere is reported.
    /// - Throws: what makes the command impossible, the server's refusal, and that it waits for an answer; for a
    ///   download without a copy, what prevents it.
    func perform(_ command: Command, at place: ItemPath? = nil, in invocation: Invocation) async throws {
        let pending = try await core.submit(command)
        try await core.settle()
        guard let record = try await core.syncRecords().first(where: { $0.id == pending.id }) else {
            let item = try await pending.item
            if let place, !item.isRemoved, item.path.asItem != place.asItem {
                let name = ShownName.escaped(name(of: item.path))
                invocation.messages.notice("\(location.description): it is \(name), since something else is there")
            }
            return
        }
        let name = ShownName.escaped(name(of: place ?? path))
        let hindrance = try await hindrance(of: record)
        if case .download = command {
            guard let hindrance, try await core.localCopy(of: record.itemID) == nil else { return }
            // What does not fit on this disk is not tried again by every later command.
            if record.failure?.meaning == .hindered {
                pending.progress.cancel()
                try await core.settle()
            }
            throw Refusal(name, "no copy is here, and none could be fetched: \(hindrance)", isAboutAccess: false)
        }
        guard try await !isAsked(about: record.itemID) else {
            throw Refusal(name, "it waits for an answer", remedy: answers, isAboutAccess: false)
        }
        let prospect = hindrance.map { "not sent yet: \($0)" } ?? "sent when the server can be reached"
        invocation.messages.notice("\(name): kept here, and \(prospect)")
    }

    /// Returns the server's refusal if only the user can help; `nil` if the user is not needed.
    func refusal() async throws -> Refusal? {
        let status = core.connectionStatus
        guard status.needsUser else { return nil }
        let issue = try await core.issues().first { $0.id.kind == status.issue }
        return Refusal(
            location.description, ShownName.escaped(issue?.detail ?? "the server is \(status.rawValue)"),
            remedy: answers)
    }

    /// Whether the server is expected to come back by itself.
    var isAway: Bool { [.offline, .maintenance].contains(core.connectionStatus) }

    /// Returns what prevents a command, and what helps; `nil` if the server is only unavailable.
    func hindrance(of record: SyncRecord) async throws -> String? {
        if let refusal = try await refusal() {
            return [refusal.reason, refusal.remedy].compactMap { $0 }.joined(separator: "; ")
        }
        return isAway ? nil : record.failure.flatMap { ErrorText.reason(of: $0.error) }
    }

    /// Returns whether an item, or a folder that it is in, waits for an answer.
    private func isAsked(about item: LocalID) async throws -> Bool {
        // Nothing waits for the acknowledgement of a refusal.
        let asked = Set(try await core.issues().filter { $0.id.kind != .commandRefused }.compactMap(\.id.item))
        var path = try await core.item(item)?.path
        var isAsked = asked.contains(item)
        while !isAsked, let folder = path?.parent {
            isAsked = try await core.item(at: folder).map { asked.contains($0.localID) } ?? false
            path = folder
        }
        return isAsked
    }
}
