import FileProviderTesting
import FileProviding
import Foundation
import Testing

@testable import CloudCore

@Suite(.serialized) struct PolicyTests {
    private let time = Locked(FileTime(seconds: 1_000_000))

    private func server(_ rules: CopyRules = CopyRules()) throws -> Server {
        try Server(clock: { [time] in time.withLock { $0 } }, rules: rules)
    }

    /// What happens between two looks at the server while a core runs.
    private func look(_ server: Server) async throws {
        try await server.sync()
        try await server.core.followPolicies()
        try await server.sync()
    }

    private func copies(_ server: Server) async throws -> [String] {
        let items = try await server.core.changes(since: .beginning)?.items ?? []
        return items.filter { !$0.isRemoved && $0.cloudStatus == .localCopy }.map(\.path.description).sorted()
    }

    @Test func `what is available offline has copies, later files and moves included`() async throws {
        let server = try server()
        try await server.folder("/a/b")
        try await server.write("/a/b/one")
        try await server.write("/other")
        try await server.sync()
        try await server.core.setAvailableOffline(server.id("/a"), true)
        try await look(server)
        #expect(try await copies(server) == ["/a/b/one"])
        #expect(try await server.core.item(at: "/a/b/one")?.downloadTrigger == .availableOffline)

        try await server.provider.moveItem(path: "/a", to: "/moved")
        try await server.write("/moved/two", "2")
        try await server.write("/moved/b/one", "newer")
        try await look(server)
        #expect(try await copies(server) == ["/moved/b/one", "/moved/two"])
        #expect(try await server.copied("/moved/b/one") == "newer")

        try await server.core.setAvailableOffline(server.id("/moved"), false)
        #expect(try await server.core.policies().isEmpty)
        _ = try await server.accept(.download(server.id("/moved/two")))
        try await server.core.followPolicies()
        #expect(try await copies(server) == ["/moved/two"], "what somebody has asked for stays")
    }

    @Test(arguments: [false, true])
    func `a file that another replaces, as editors do, stays available offline`(isFetched: Bool) async throws {
        let server = try server()
        try await server.write("/note", "old")
        try await server.sync()
        try await server.core.setAvailableOffline(server.id("/note"), true)
        if isFetched { try await look(server) }
        let old = try await server.id("/note")
        try await server.write("/note.new", "newer")
        try await server.sync()
        try await server.provider.removeItem(path: "/note")
        try await server.provider.moveItem(path: "/note.new", to: "/note")
        try await look(server)
        let new = try await server.id("/note")
        #expect(new != old)
        #expect(try await server.core.policies().map(\.itemID) == [new])
        #expect(try await server.copied("/note") == "newer")
    }

    @Test(arguments: [false, true])
    func `a folder without an identifier that was away stays available offline`(isRemovedHere: Bool) async throws {
        let server = try Server(hasFileIDs: false, clock: { [time] in time.withLock { $0 } })
        try await server.folder("/d")
        try await server.write("/d/one", "1")
        try await server.sync()
        try await server.core.setAvailableOffline(server.id("/d"), true)
        try await look(server)
        if isRemovedHere {
            try await server.delete("/d")
        } else {
            try await server.provider.moveItem(path: "/d", to: "/away")
        }
        try await look(server)
        #expect(try await copies(server) == [])
        try await server.folder("/d")
        try await server.write("/d/two", "2")
        try await look(server)
        #expect(try await copies(server) == (isRemovedHere ? [] : ["/d/two"]))
    }

    @Test(arguments: ["/before", "/zulu"] as [ItemPath])
    func `a file that has moved stays available offline, and what has its name by then is not`(
        path: ItemPath
    ) async throws {
        let server = try server()
        try await server.write("/note", "old")
        try await server.sync()
        try await server.core.setAvailableOffline(server.id("/note"), true)
        try await look(server)
        try await server.provider.moveItem(path: "/note", to: path)
        try await server.write("/note", "another")
        try await look(server)
        let moved = try await server.id(path)
        #expect(try await server.core.policies().map(\.itemID) == [moved])
        #expect(try await copies(server) == [path.description])
    }

    @Test func `copies that are to stay are looked at without a word to the database`() async throws {
        let server = try server(CopyRules(expiration: .seconds(100)))
        try await server.write("/file")
        try await server.sync()
        _ = try await server.accept(.download(server.id("/file")))
        try await server.sync()
        let wasDone = try await server.core.vault.database.whileWriting { try await server.core.followPolicies() }
        #expect(wasDone)
        #expect(try await copies(server) == ["/file"])
        time.withLock { $0 = $0.later(bySeconds: 101) }
        try await server.core.followPolicies()
        #expect(try await copies(server).isEmpty)
    }

    @Test func `a copy that nobody uses goes after its time, unless it is kept`() async throws {
        let server = try server(CopyRules(expiration: .seconds(100)))
        for name in ["used", "unused", "edited", "claimed", "offline"] {
            try await server.write(ItemPath(validating: "/\(name)"))
        }
        try await server.sync()
        for name in ["used", "unused", "edited", "claimed", "offline"] {
            _ = try await server.accept(.download(server.id(ItemPath(validating: "/\(name)"))))
        }
        try await server.core.setAvailableOffline(server.id("/offline"), true)
        try await server.sync()
        let claim = try await server.core.claim(server.id("/claimed"), .explicit, lock: .delete)
        time.withLock { $0 = $0.later(bySeconds: 90) }
        _ = try await server.core.localCopy(of: server.id("/used"))
        time.withLock { $0 = $0.later(bySeconds: 20) }
        server.connection.fail(with: URLError(.timedOut))
        try await server.edit("/edited", "mine")
        try await server.core.followPolicies()
        #expect(try await copies(server) == ["/claimed", "/offline", "/used"])
        #expect(try await server.copied("/edited") == "mine")

        // Somebody else removes it: its copy is somebody's all the same.
        let claimed = try await server.core.localCopy(of: server.id("/claimed"))
        server.connection.fail(with: nil)
        try await server.provider.removeItem(path: "/claimed")
        try await server.make("folder")
        try await server.sync()
        try await server.delete("/folder")
        try await server.sync()
        time.withLock { $0 = $0.later(bySeconds: 100 * 86_400) }
        try await server.core.vacuum()
        #expect(try server.scratch.read(#require(claimed)) == "x")

        try await server.core.giveUp(claim)
        try await server.core.vacuum()
        #expect(try !server.scratch.exists(#require(claimed)))
        #expect(try await copies(server) == ["/edited", "/offline", "/used"])
    }

    @Test func `the nearest item's rule about expiry holds, wherever the item moves`() async throws {
        let server = try server(CopyRules(expiration: .seconds(1000)))
        let paths: [ItemPath] = ["/short/kept/file", "/short/file", "/short/long", "/file"]
        try await server.folder("/short/kept")
        for path in paths { try await server.write(path) }
        try await server.sync()
        for path in paths { _ = try await server.accept(.download(server.id(path))) }
        let core = server.core
        try await core.setPolicy(.expiration(.seconds(5)), of: server.id("/short"))
        try await core.setPolicy(.expiration(.seconds(100)), of: server.id("/short"))
        try await core.setPolicy(.expiration(nil), of: server.id("/short/kept"))
        try await core.setPolicy(.expiration(.seconds(5000)), of: server.id("/short/long"))
        #expect(try await core.policies().count == 3, "one of each kind")
        try await server.sync()
        try await core.followPolicies()
        #expect(try await copies(server).count == 4)
        time.withLock { $0 = $0.later(bySeconds: 101) }
        try await server.provider.moveItem(path: "/short", to: "/moved")
        try await look(server)
        #expect(try await copies(server) == ["/file", "/moved/kept/file", "/moved/long"])
        try await core.removePolicy(.expiration, of: server.id("/moved/kept"))
        time.withLock { $0 = $0.later(bySeconds: 900) }
        try await core.followPolicies()
        #expect(try await copies(server) == ["/moved/long"])
    }

    @Test func `items decide for themselves whether their copies follow the server's versions`() async throws {
        for follows in [true, false] {
            let server = try server(CopyRules(followsVersions: follows))
            let paths: [ItemPath] = ["/other/file", "/other/offline", "/file"]
            try await server.folder("/other")
            for path in paths { try await server.write(path, "old") }
            try await server.sync()
            for path in paths { _ = try await server.accept(.download(server.id(path))) }
            try await server.sync()
            try await server.core.setPolicy(.versionUpdates(!follows), of: server.id("/other"))
            try await server.core.setAvailableOffline(server.id("/other/offline"), true)
            for path in paths { try await server.write(path, "newer") }
            try await look(server)
            #expect(try await server.copied("/other/file") == (follows ? "old" : "newer"))
            #expect(try await server.copied("/other/offline") == "newer", "what is available offline is up to date")
            #expect(try await server.copied("/file") == (follows ? "newer" : "old"))
        }
    }

    @Test func `what somebody has asked for since is no longer there for a policy alone`() async throws {
        let server = try server()
        try await server.folder("/folder")
        try await server.write("/folder/file")
        try await server.sync()
        let (folder, file) = (try await server.id("/folder"), try await server.id("/folder/file"))
        let isUnpinned = { [core = server.core] in try await core.vault.database.read { try $0.isUnpinned(file) } }
        try await server.core.setAvailableOffline(folder, true)
        try await look(server)
        #expect(try await isUnpinned() == false)
        try await server.core.setAvailableOffline(folder, false)
        #expect(try await isUnpinned() == true)
        try await server.core.setAvailableOffline(file, true)
        #expect(try await isUnpinned() == false)
        try await server.core.setAvailableOffline(file, false)
        _ = try await server.accept(.download(file))
        #expect(try await isUnpinned() == false)
    }

    @Test func `an item that is gone gets no rule`() async throws {
        let server = try server()
        try await server.write("/file")
        try await server.sync()
        let id = try await server.id("/file")
        try await server.provider.removeItem(path: "/file")
        try await server.sync()
        await #expect(throws: CocoaError.self) { try await server.core.setPolicy(.expiration(nil), of: id) }
        #expect(try await server.core.policies().isEmpty)
    }

    @Test func `copies follow the server's versions, unless that is not wanted or they are frozen`() async throws {
        for follows in [true, false] {
            let server = try server(CopyRules(followsVersions: follows))
            for name in ["plain", "read", "frozen"] {
                try await server.write(ItemPath(validating: "/\(name)"), "old")
                try await server.sync()
                _ = try await server.accept(.download(server.id(ItemPath(validating: "/\(name)"))))
            }
            try await server.sync()
            _ = try await server.core.claim(server.id("/read"), .thisProcess, lock: .read)
            _ = try await server.core.claim(server.id("/frozen"), server.core.coreLifetime, lock: .write)
            for name in ["plain", "read", "frozen"] {
                try await server.write(ItemPath(validating: "/\(name)"), "newer")
            }
            try await look(server)
            #expect(try await server.copied("/plain") == (follows ? "newer" : "old"))
            #expect(try await server.copied("/read") == "newer")
            #expect(try await server.copied("/frozen") == "old")
        }
    }

    @Test func `vacuuming leaves what is used, and nothing else`() async throws {
        let server = try server(CopyRules(tombstoneLifetime: .seconds(10)))
        try await server.write("/kept")
        try await server.write("/gone")
        try await server.sync()
        for path in ["/kept", "/gone"] as [ItemPath] { _ = try await server.accept(.download(server.id(path))) }
        try await server.sync()
        let gone = try await server.id("/gone")
        try await server.provider.removeItem(path: "/gone")
        try await server.sync()
        server.connection.fail(with: URLError(.timedOut))
        try await server.put("unsent", as: "unsent")
        let copies = server.core.vault.folder.appending("copies")
        try PrivateFile.createFolder(copies.appending("orphan"))
        let waiting = try #require(try await server.core.syncRecords().first).id
        for command in [waiting, EventID()] {
            try PrivateFile.replace(server.core.vault.journal(of: command), with: Data("journal".utf8))
        }
        time.withLock { $0 = $0.later(bySeconds: 20) }
        let anchor = try #require(try await server.core.changes(since: .beginning)).anchor
        try await server.core.vacuum()
        #expect(try await server.core.changes(since: anchor)?.items == [])
        #expect(try copies.entryNames().count == 2)
        let transfers = try Vault.transfers(of: server.core.vault.folder).entryNames()
        #expect(transfers.map(\.text) == ["\(waiting).journal"])
        #expect(try await server.copied("/kept") == "x")
        #expect(try await server.copied("/unsent") == "unsent")
        #expect(try await server.core.item(gone) == nil)
    }

    @Test func `what is no longer to be here is not fetched, and what was made here stays`() async throws {
        let server = try server()
        for name in ["waiting", "edited"] { try await server.write(ItemPath(validating: "/\(name)")) }
        try await server.sync()
        try await server.core.setAvailableOffline(server.id("/edited"), true)
        try await look(server)
        try await server.edit("/edited", "mine")
        try await server.sync()
        server.connection.fail(with: URLError(.timedOut))
        try await server.core.setAvailableOffline(.root, true)
        try await server.core.followPolicies()
        #expect(try await server.core.syncRecords().map(\.kind) == [.download])
        for path in [.root, "/edited"] as [ItemPath] {
            try await server.core.setAvailableOffline(server.id(path), false)
        }
        try await server.core.followPolicies()
        #expect(try await server.core.syncRecords().isEmpty)
        server.connection.fail(with: nil)
        try await look(server)
        #expect(try await copies(server) == ["/edited"])
    }

    @Test func `contents whose name is too long for this machine's disk are kept all the same`() async throws {
        let server = try Server()
        for (name, kept) in [("ä.jpg", "ä.jpg"), (String(repeating: "ä", count: 140) + ".jpg", "ä.jpg")] {
            let name = ItemName(unchecked: Array(name.utf8))
            let contents = try await NewContents(
                ByteStream(Data("picture".utf8)), named: name, isNew: true, into: server.core.vault)
            let path = server.core.vault.path(of: contents.copy)
            #expect(try server.scratch.read(path) == "picture")
            #expect(path.description.hasSuffix(kept))
        }
    }

    @Test func `vacuuming spares contents that are on their way to a command`() async throws {
        let server = try Server()
        let vault = server.core.vault
        let contents = try await NewContents(ByteStream(Data("edit".utf8)), named: "note", isNew: true, into: vault)
        try await server.core.vacuum()
        #expect(try server.scratch.read(vault.path(of: contents.copy)) == "edit")
        vault.letGo(contents.copy)
        try await server.core.vacuum()
        #expect(!server.scratch.exists(vault.path(of: contents.copy)))
    }

    @Test func `a core that runs vacuums once a day`() async throws {
        let server = try server()
        let orphan = server.core.vault.folder.appending("copies").appending("orphan")
        let clock = SteppingClock()
        try PrivateFile.createFolder(orphan)
        let running = Task { await server.core.run(every: .seconds(30), clock: clock) }
        func look() async {
            await clock.untilAsleep(1)
            clock.step()
        }
        while server.scratch.exists(orphan) { await Task.yield() }
        try PrivateFile.createFolder(orphan)
        for _ in 0..<5 { await look() }
        #expect(server.scratch.exists(orphan))
        time.withLock { $0 = $0.later(bySeconds: 86_400) }
        while server.scratch.exists(orphan) { await look() }
        running.cancel()
        await running.value
    }

    @Test func `a claimed copy stays as it is, whatever was asked for before, and is not removed`() async throws {
        let server = try server()
        try await server.write("/file", "old")
        try await server.sync()
        _ = try await server.accept(.download(server.id("/file")))
        try await server.sync()
        try await server.write("/file", "newer")
        try await server.scanned()
        _ = try await server.accept(.download(server.id("/file")))
        let claim = try await server.core.claim(server.id("/file"), .explicit, lock: .write)
        try await server.sync()
        #expect(try await server.copied("/file") == "old")
        #expect(try server.core.vault.folder.appending("copies").entryNames().count == 1)
        try await server.core.removeCopy(of: server.id("/file"))
        #expect(try await server.copied("/file") == "old")

        try await server.core.giveUp(claim)
        try await look(server)
        #expect(try await server.copied("/file") == "newer")
        try await server.core.removeCopy(of: server.id("/file"))
        #expect(try await server.copied("/file") == nil)
    }

    @Test func `an expired copy goes although the server has a newer version`() async throws {
        let server = try server(CopyRules(expiration: .seconds(100)))
        try await server.write("/file", "old")
        try await server.sync()
        _ = try await server.accept(.download(server.id("/file")))
        try await server.sync()
        time.withLock { $0 = FileTime(seconds: $0.seconds + 101) }
        try await server.write("/file", "newer")
        try await look(server)
        #expect(try await copies(server).isEmpty)
    }

    @Test func `a copy whose file is gone is noticed, and can be fetched again`() async throws {
        let server = try server()
        try await server.write("/file", "text")
        try await server.sync()
        let id = try await server.id("/file")
        for _ in 0..<2 {
            let command = try await server.accept(.download(id))
            try await server.core.settle()
            _ = try await command.item
            let copy = try #require(try await server.core.localCopy(of: id))
            #expect(unlink(copy.description) == 0)
        }
        #expect(try await server.core.localCopy(of: id) == nil)
        #expect(try await server.core.item(id)?.cloudStatus == .cloudOnly)
    }
}
