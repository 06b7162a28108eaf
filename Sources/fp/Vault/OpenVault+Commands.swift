import CloudCore
import FileProviders

extension OpenVault {
    /// The item at a path, as the vault knows it.
    func existing(_ path: ItemPath) async throws -> Item {
        guard let item = try await core.item(at: path) else {
            throw FileError.noSuchFile(ShownName.escaped(name(of: path)))
        }
        return item
    }

    /// The folder above a path that is pinned, if there is one.
    func pinned(above path: ItemPath) async throws -> ItemPath? {
        let pinned = Set(try await core.policies().map(\.itemID))
        var above = path
        while let parent = above.parent {
            if let folder = try await core.item(at: parent), pinned.contains(folder.localID) { return parent }
            above = parent
        }
        return nil
    }

    /// Where a new item of this path goes: its directory and its name.
    func place(of path: ItemPath) async throws -> (directory: LocalID, name: ItemName) {
        guard let parent = path.parent, let name = path.lastComponent else {
            throw Refusal(location.description, "that is the root", isAboutAccess: false)
        }
        guard let directory = try await core.item(at: parent) else {
            throw Refusal.missingFolder(of: ShownName.escaped(self.name(of: path)))
        }
        guard directory.isDirectory else {
            throw Refusal(ShownName.escaped(self.name(of: parent)), "not a folder", isAboutAccess: false)
        }
        return (directory.localID, name)
    }

    /// Accepts a command, and brings it to the server if that can be reached now; says what it waits for otherwise, unless it
    /// only fetches what there is a copy of.
    ///
    /// - Throws: what makes it impossible, what the server refuses it with, and that it waits for an answer; for what is to be
    ///   fetched and has no copy, what keeps it from that.
    func perform(_ command: Command, in invocation: Invocation) async throws {
        let pending = try await core.submit(command)
        try await core.settle()
        guard let record = try await core.syncRecords().first(where: { $0.id == pending.id }) else {
            _ = try await pending.item
            return
        }
        let hindrance = try await hindrance(of: record)
        if case .download = command {
            guard let hindrance, try await core.localCopy(of: record.itemID) == nil else { return }
            throw Refusal(
                location.description, "no copy is here, and none could be fetched: \(hindrance)", isAboutAccess: false)
        }
        guard try await !isAsked(about: record.itemID) else {
            throw Refusal(
                location.description, "it waits for an answer", remedy: "see them: fp vault conflicts",
                isAboutAccess: false)
        }
        let prospect = hindrance.map { "not sent yet: \($0)" } ?? "sent when the server can be reached"
        invocation.messages.notice("\(location.description): kept here, and \(prospect)")
    }

    /// What the server says where only a person helps; `nil` where nobody is needed.
    func refusal() async throws -> Refusal? {
        let status = core.connectionStatus
        guard status.waitsForPerson else { return nil }
        let issue = try await core.issues().first { $0.id.kind == status.issue }
        return Refusal(
            location.description, ShownName.escaped(issue?.detail ?? "the server is \(status.rawValue)"),
            remedy: "answer: fp vault resolve")
    }

    /// Whether the server is to come back by itself.
    var isAway: Bool { [.offline, .maintenance].contains(core.connectionStatus) }

    /// What keeps a command from being done, and what helps; `nil` where the server is only away.
    private func hindrance(of record: SyncRecord) async throws -> String? {
        if let refusal = try await refusal() {
            return [refusal.reason, refusal.remedy].compactMap { $0 }.joined(separator: "; ")
        }
        return isAway ? nil : record.failure.map { ShownName.escaped($0.text) }
    }

    /// Whether an item, or a folder that it is in, waits for an answer.
    private func isAsked(about item: LocalID) async throws -> Bool {
        let asked = Set(try await core.issues().compactMap(\.id.item))
        var path = try await core.item(item)?.path
        var isAsked = asked.contains(item)
        while !isAsked, let folder = path?.parent {
            isAsked = try await core.item(at: folder).map { asked.contains($0.localID) } ?? false
            path = folder
        }
        return isAsked
    }
}
