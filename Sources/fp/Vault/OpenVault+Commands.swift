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
    /// only fetches.
    ///
    /// - Throws: what makes it impossible, what the server refuses it with, and that it waits for an answer.
    func perform(_ command: Command, in invocation: Invocation) async throws {
        let pending = try await core.submit(command)
        try await core.settle()
        guard let record = try await core.syncRecords().first(where: { $0.id == pending.id }) else {
            _ = try await pending.item
            return
        }
        if case .download = command { return }
        guard try await !isAsked(about: record.itemID) else {
            throw Refusal(
                location.description, "it waits for an answer", remedy: "see them: fp vault conflicts",
                isAboutAccess: false)
        }
        invocation.messages.notice("\(location.description): kept here, and sent when the server can be reached")
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
