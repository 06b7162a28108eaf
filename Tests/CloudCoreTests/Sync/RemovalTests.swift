import FileProviding
import Foundation
import Testing

@testable import CloudCore

/// Removing a directory while other commands are about what is in it.
@Suite(.serialized) struct RemovalTests {
    private let server: Server
    /// How many seconds the clock of the vault is ahead.
    private let passed = Locked<Int64>(0)

    init() throws { server = try Self.server(passed) }

    private static func server(_ passed: Locked<Int64>, hasFileIDs: Bool = true) throws -> Server {
        try Server(hasFileIDs: hasFileIDs, clock: { FileTime(Date()).later(bySeconds: passed.withLock { $0 }) })
    }

    private let offline = URLError(.cannotConnectToHost)
    private let cut = URLError(.networkConnectionLost)
    private let refusal = CocoaError(.fileWriteNoPermission)

    /// Whether each command could begin beside those before it.
    private func turns() async throws -> [Bool] {
        let standings = try await server.core.vault.database.read { try $0.standings(after: 0, atMost: 100) }
        var lanes = Lanes()
        return standings.map { lanes.add($0.record.number, touching: $0.touch) }
    }

    private func cancelRemoval(on server: Server) async throws {
        let removal = try #require(try await server.core.syncRecords().first { $0.kind == .delete })
        try await server.core.cancel(removal.id)
    }

    @Test(arguments: [false, true])
    func `what was moved into a directory is removed with it`(isRunning: Bool) async throws {
        try await server.write("/a", "old")
        try await server.folder("/folder")
        try await server.sync()
        server.connection.fail(with: offline)
        let running = isRunning ? Task { try await server.core.engine.run() } : nil
        defer { running?.cancel() }
        try await server.move("/a", to: "/folder/a")
        try await server.delete("/folder")
        try await server.put("new", as: "a")
        server.connection.fail(with: nil)
        await server.core.reconnect()
        try await server.expectConverged()
        #expect(try await server.walked() == ["/a"])
        #expect(try await server.text("/a") == "new")
        #expect(try await server.core.issues().isEmpty)
    }

    @Test func `what was moved into a directory that the server never had goes with it`() async throws {
        try await server.write("/a", "old")
        try await server.sync()
        try await server.make("new")
        try await server.move("/a", to: "/new/a")
        try await server.delete("/new")
        try await server.expectConverged()
        #expect(try await server.walked() == [])
    }

    @Test(arguments: [false, true])
    func `a directory of somebody else's is not taken for one that was made and removed here`(
        isSeen: Bool
    ) async throws {
        try await server.write("/a", "old")
        try await server.sync()
        try await server.make("new")
        try await server.move("/a", to: "/new/a")
        try await server.delete("/new")
        try await server.folder("/new")
        try await server.write("/new/theirs")
        if isSeen { try await server.scanned() }
        try await server.expectConverged()
        #expect(try await server.walked() == ["/a", "/new", "/new/theirs"])
        #expect(try await server.core.issues().isEmpty)
    }

    @Test func `what was made in a directory that somebody else has made is not put into theirs`() async throws {
        try await server.write("/a", "old")
        try await server.sync()
        try await server.make("new")
        try await server.make("sub", in: "/new")
        try await server.move("/a", to: "/new/sub/a")
        try await server.delete("/new")
        try await server.folder("/new")
        try await server.write("/new/theirs")
        try await server.expectConverged()
        #expect(try await server.walked() == ["/a", "/new", "/new/theirs"])
    }

    @Test func `what was removed from a directory that could not be made is removed where it was`() async throws {
        try await server.write("/a", "old")
        try await server.sync()
        try await server.make("new")
        try await server.move("/a", to: "/new/a")
        try await server.delete("/new/a")
        try await server.write("/new", "theirs")
        try await server.core.settle()
        let issue = try #require(try await server.core.issues().first)
        try await server.core.resolve(issue.id, with: .cancel)
        try await server.expectConverged()
        #expect(try await server.walked() == ["/new"])
        #expect(try await server.text("/new") == "theirs")
    }

    @Test func `a copy into which something was moved goes with that, unmade`() async throws {
        try await server.folder("/d")
        try await server.write("/d/file")
        try await server.write("/a", "old")
        try await server.sync()
        try await server.copy("/d", to: "/z")
        try await server.move("/a", to: "/z/a")
        try await server.delete("/z")
        _ = server.connection.requests()
        try await server.expectConverged()
        #expect(server.connection.requests().prefix(3) == ["folder /z", "move /a /z/a", "delete /z"])
        #expect(try await server.walked() == ["/d", "/d/file"])
    }

    @Test func `a directory goes out of which something is moved that is sent to it first`() async throws {
        try await server.make("d")
        try await server.put("text", as: "f", in: "/d")
        try await server.copy("/d/f", to: "/g")
        try await server.move("/d/f", to: "/x")
        try await server.delete("/d")
        try await server.expectConverged()
        #expect(try await server.walked() == ["/g", "/x"])
    }

    @Test func `a removal that would ask is asked about with the directory that is removed behind it`() async throws {
        try await server.folder("/d")
        try await server.write("/d/f", "old")
        try await server.sync()
        try await server.delete("/d/f")
        try await server.delete("/d")
        try await server.write("/d/f", "changed")
        try await server.insistOnRemoval()
        #expect(try await server.core.issues().isEmpty)
        #expect(try await server.walked() == [])
    }

    @Test func `a copy of a directory whose reply is lost is not made twice`() async throws {
        try await server.folder("/d")
        try await server.write("/d/file")
        try await server.sync()
        server.connection.meet(.unanswered(cut))
        try await server.copy("/d", to: "/z")
        for _ in 0..<6 {
            try await server.core.settle()
            passed.withLock { $0 += 600 }
            await server.core.reconnect()
        }
        #expect(try await server.walked() == ["/d", "/d/file", "/z", "/z/file"])
        #expect(try await server.core.issues().map(\.id.kind) == [.nameTaken])
    }

    @Test func `a directory in which something was made that has left it goes`() async throws {
        try await server.make("r")
        try await server.make("d", in: "/r")
        try await server.move("/r/d", to: "/q")
        try await server.delete("/r")
        try await server.expectConverged()
        #expect(try await server.walked() == ["/q"])
    }

    @Test func `a directory through which something was moved goes`() async throws {
        try await server.write("/a", "old")
        try await server.sync()
        try await server.make("new")
        try await server.move("/a", to: "/new/a")
        try await server.move("/new/a", to: "/b")
        try await server.delete("/new")
        try await server.expectConverged()
        #expect(try await server.walked() == ["/b"])
    }

    @Test func `what was to go into a directory that cannot be made goes back, though that is to be removed`()
        async throws
    {
        try await server.write("/a", "old")
        try await server.sync()
        try await server.make("new")
        server.connection.meet(.lost(cut))
        try await server.core.settle()
        try await server.move("/a", to: "/new/a")
        try await server.delete("/new")
        try await server.core.cancel(#require(server.core.syncRecords().first).id)
        try await server.expectConverged()
        #expect(try await server.walked() == ["/a"])
    }

    @Test(arguments: [false, true])
    func `what has come to where something was before is not removed with that`(isDirectory: Bool) async throws {
        if isDirectory { try await server.folder("/d") } else { try await server.write("/d", "old") }
        try await server.sync()
        try await server.move("/d", to: "/d2")
        if isDirectory {
            try await server.make("d")
            try await server.put("new", as: "f", in: "/d")
        } else {
            try await server.put("new", as: "d")
        }
        try await server.delete("/d2")
        #expect(try await turns().filter { $0 } == [true])
        try await server.expectConverged()
        #expect(try await server.text(isDirectory ? "/d/f" : "/d") == "new")
        #expect(try await server.core.issues().isEmpty)
    }

    @Test(arguments: [false, true])
    func `what could not be moved out of a directory is not removed with it`(isBelow: Bool) async throws {
        for path: ItemPath in ["/folder", "/folder/sub", "/d", "/out"] { try await server.folder(path) }
        try await server.write("/folder/sub/x")
        try await server.write("/d/x")
        try await server.sync()
        if isBelow {
            try await server.move("/folder/sub/x", to: "/out/x")
            try await server.delete("/folder/sub")
        } else {
            try await server.move("/d/x", to: "/out/x")
            try await server.move("/d", to: "/folder/d")
        }
        try await server.delete("/folder")
        server.connection.meet(.lost(refusal))
        try await server.expectConverged()
        #expect(try await server.walked().contains(isBelow ? "/folder/sub/x" : "/folder/d/x"))
    }

    @Test func `a removal that waits for an answer goes with that of its directory`() async throws {
        try await server.folder("/folder")
        try await server.write("/folder/f", "old")
        try await server.sync()
        try await server.delete("/folder/f")
        try await server.write("/folder/f", "theirs")
        try await server.core.settle()
        #expect(try await server.core.issues().map(\.id.kind) == [.changedBeforeDeletion])
        try await server.delete("/folder")
        try await server.insistOnRemoval()
        #expect(try await server.walked() == [])
        #expect(try await server.core.issues().isEmpty)
    }

    @Test func `what a command made of a file is the version in which it is removed`() async throws {
        try await server.write("/a", "old")
        try await server.sync()
        try await server.move("/a", to: "/b")
        let (core, move) = (server.core, try #require(try await server.core.syncRecords().first))
        _ = try await core.vault.database.write { try $0.schedule(move.number, SyncEffects(vault: core.vault)) }
        try await server.delete("/b")
        var moved = ServerVersion(type: .regular)
        (moved.etag, moved.size) = (ETag(rawValue: "\"moved\""), 3)
        try await core.receive(
            Event(id: move.id, attempt: 1, outcome: .done(Event.Result(item: moved, contents: moved.contents))))
        let removal = try #require(try await core.syncRecords().first)
        let effects = try await core.vault.database.write {
            try $0.schedule(removal.number, SyncEffects(vault: core.vault))
        }
        guard case .delete(let known) = effects.begun?.operation else {
            Testing.Issue.record("nothing to remove")
            return
        }
        #expect(known.path == "/b")
        #expect(known.version?.etag == moved.etag)
    }

    @Test(arguments: [false, true], [false, true])
    func `what was moved in a directory or into it is there when that is not to be removed after all`(
        hasFileIDs: Bool, isUnanswered: Bool
    ) async throws {
        let server = try Self.server(passed, hasFileIDs: hasFileIDs)
        try await server.folder("/a")
        try await server.write("/b")
        try await server.write("/x")
        try await server.folder("/folder")
        try await server.write("/folder/y")
        try await server.sync()
        try await server.move("/a", to: "/folder/a")
        try await server.move("/b", to: "/folder/b")
        try await server.move("/x", to: "/folder/a/x")
        try await server.move("/folder/y", to: "/folder/z")
        if isUnanswered {
            server.connection.meet(.unanswered(cut))
            try await server.core.settle()
        }
        try await server.delete("/folder")
        try await cancelRemoval(on: server)
        try await server.core.settle()
        passed.withLock { $0 += 2 }
        try await server.expectConverged()
        #expect(
            try await server.walked() == ["/folder", "/folder/a", "/folder/a/x", "/folder/b", "/folder/z"])
        let again = try await server.reopened()
        try await again.expectConverged()
        #expect(try await again.walked().count == 5)
    }

    @Test func `what comes from a directory that is removed too stays where it was moved to`() async throws {
        try await server.folder("/from")
        try await server.folder("/folder")
        try await server.write("/from/a", "old")
        try await server.sync()
        try await server.move("/from/a", to: "/folder/a")
        try await server.delete("/folder")
        try await cancelRemoval(on: server)
        try await server.delete("/from")
        try await server.expectConverged()
        #expect(try await server.walked() == ["/folder", "/folder/a"])
    }

    @Test func `nothing that was moved into a directory is lost when that may not be removed`() async throws {
        try await server.write("/a", "old")
        try await server.folder("/folder")
        try await server.sync()
        try await server.move("/a", to: "/folder/a")
        try await server.delete("/folder")
        #expect(try await turns() == [true, false])
        server.connection.meet(.none, .lost(refusal))
        try await server.expectConverged()
        #expect(try await server.walked() == ["/folder", "/folder/a"])
    }

    @Test(arguments: [false, true])
    func `what cannot be moved into a directory stays where it was`(isTaken: Bool) async throws {
        try await server.write("/a", "old")
        try await server.folder("/folder")
        try await server.sync()
        try await server.move("/a", to: "/folder/a")
        try await server.delete("/folder")
        if isTaken { try await server.write("/folder/a", "theirs") } else { server.connection.meet(.lost(refusal)) }
        if isTaken { try await server.insistOnRemoval() } else { try await server.expectConverged() }
        #expect(try await server.walked() == ["/a"])
        #expect(try await server.text("/a") == "old")
        #expect(try await server.core.issues().isEmpty)
    }

    @Test func `a name that was taken when something was moved is asked about no more when that is removed`()
        async throws
    {
        try await server.write("/a", "old")
        try await server.folder("/folder")
        try await server.sync()
        try await server.move("/a", to: "/folder/a")
        try await server.write("/folder/a", "theirs")
        let running = Task { try await server.core.engine.run() }
        defer { running.cancel() }
        try await server.core.settle()
        #expect(try await server.core.issues().map(\.id.kind) == [.nameTaken])
        try await server.delete("/folder")
        try await server.insistOnRemoval()
        #expect(try await server.walked() == ["/a"])
        #expect(try await server.core.issues().isEmpty)
    }

    @Test func `what commands need of removed directories is not forgotten`() async throws {
        try await server.folder("/folder/inner")
        try await server.write("/folder/inner/file", "text")
        try await server.write("/folder/inner/asked")
        try await server.sync()
        try await server.delete("/folder/inner/asked")
        try await server.write("/folder/inner/asked", "changed")
        try await server.core.settle()
        #expect(try await server.core.issues().map(\.id.kind) == [.changedBeforeDeletion])
        try await server.move("/folder/inner/file", to: "/file")
        try await server.delete("/folder")
        try await server.core.forgetTombstones(before: FileTime(nanoseconds: .max))
        try await server.insistOnRemoval()
        #expect(try await server.text("/file") == "text")
        #expect(try await server.walked() == ["/file"])
        try await server.core.forgetTombstones(before: FileTime(nanoseconds: .max))
        #expect(try await server.core.changes(since: .beginning)?.items.count == 2)
    }

    @Test func `an item that is asked about is known also when its directory is lost and forgotten`() async throws {
        try await server.folder("/folder")
        try await server.write("/folder/file", "text")
        try await server.write("/other")
        try await server.sync()
        try await server.delete("/folder/file")
        try await server.write("/folder/file", "changed")
        try await server.core.settle()
        try await server.provider.removeItem(path: "/folder")
        try await server.scanned()
        try await server.core.forgetTombstones(before: FileTime(nanoseconds: .max))
        for issue in try await server.core.issues() { try await server.core.resolve(issue.id, with: .replace) }
        try await server.expectConverged()
        #expect(try await server.walked() == ["/other"])
    }

    @Test func `a removal says nothing of what is made there later`() async throws {
        let server = try Self.server(passed, hasFileIDs: false)
        try await server.folder("/folder/sub")
        try await server.sync()
        try await server.move("/folder/sub", to: "/folder/sub2")
        try await server.delete("/folder")
        try await server.sync()
        for name: ItemPath in ["/folder", "/folder/sub", "/folder/sub2"] {
            try await server.make(#require(name.lastComponent), in: name.parent ?? .root)
        }
        try await server.put("new", as: "file", in: "/folder/sub")
        try await server.sync()
        let again = try await server.reopened()
        try await again.expectConverged()
        #expect(try await again.walked() == ["/folder", "/folder/sub", "/folder/sub/file", "/folder/sub2"])
    }

    @Test(arguments: [false, true], [false, true])
    func `what is to be sent again is sent before its directory is removed`(
        isDirectoryLost: Bool, isMadeAgain: Bool
    ) async throws {
        try await server.folder("/folder")
        try await server.write("/folder/file", "old")
        try await server.sync()
        try await server.edit("/folder/file", "edited")
        try await server.provider.removeItem(path: isDirectoryLost ? "/folder" : "/folder/file")
        try await server.scanned()
        server.connection.meet(.lost(cut))
        try await server.core.settle()
        try await server.delete("/folder")
        #expect(try await server.core.syncRecords().last?.kind == .delete)
        #expect(try await turns().filter { $0 } == [true])
        if isMadeAgain, isDirectoryLost {
            try await server.folder("/folder")
            try await server.write("/folder/theirs")
        }
        try await server.expectConverged()
        // Whether a directory that was made again is ours alone, nobody knows.
        let others = try await server.walked().filter { !$0.hasPrefix("/folder") }
        #expect(others.isEmpty)
        #expect(try await !server.walked().contains("/folder/file"))
        if isMadeAgain, isDirectoryLost { #expect(try await server.walked().contains("/folder/theirs")) }
    }

    @Test(arguments: [false, true])
    func `what was to be copied is there when its directory is not to be removed after all`(
        isInside: Bool
    ) async throws {
        try await server.folder("/r")
        try await server.write("/r/s", "old")
        try await server.sync()
        // What an engine finds when it begins, it mends.
        server.connection.fail(with: offline)
        let running = Task { try await server.core.engine.run() }
        defer { running.cancel() }
        try await server.accept(.copy(server.id("/r/s"), to: server.id(isInside ? "/r" : "/"), as: "t"))
        try await server.delete("/r")
        if !isInside { try await server.delete("/t") }
        try await cancelRemoval(on: server)
        server.connection.fail(with: nil)
        await server.core.reconnect()
        try await server.expectConverged()
        // A copy that had begun already is made.
        #expect(try await server.known().filter { $0 != "/r/t" } == ["/r", "/r/s"])
    }

    @Test func `a removed edit that cannot be sent does not take what somebody else has written`() async throws {
        try await server.write("/file", "old")
        try await server.sync()
        try await server.edit("/file", "mine")
        server.connection.meet(.lost(cut))
        try await server.core.settle()
        try await server.write("/file", "theirs")
        try await server.scanned()
        try await server.delete("/file")
        try await server.core.settle()
        #expect(try await server.text("/file") == "theirs")
        #expect(try await server.core.issues().map(\.id.kind) == [.changedBeforeDeletion])
        #expect(try server.recovered() == ["mine"])
    }

    @Test func `a file whose time or contents were changed here is removed in the version that the server has`()
        async throws
    {
        try await server.write("/touched", "old")
        try await server.write("/edited", "old")
        try await server.sync()
        let old = try #require(try await server.core.item(at: "/touched")).version
        try await server.accept(
            .update(server.id("/touched"), ItemAttributes(modificationTime: FileTime(seconds: 5))))
        try await server.delete("/touched")
        try await server.make("new")
        try await server.edit("/edited", "longer")
        try await server.move("/edited", to: "/new/edited")
        try await server.delete("/new")
        let core = server.core
        var versions: [ItemPath: FileVersion] = [:]
        for record in try await core.syncRecords() {
            let effects = try await core.vault.database.write {
                try $0.schedule(record.number, SyncEffects(vault: core.vault))
            }
            switch effects.begun?.operation {
            case .delete(let known), .move(let known, _, _): versions[known.path] = known.version
            default: break
            }
        }
        #expect(versions["/touched"]?.modificationTime == old.modificationTime)
        #expect(versions["/edited"]?.size == 3)
    }

    @Test(arguments: [false, true])
    func `what was moved into a directory is there when somebody has replaced that`(isFile: Bool) async throws {
        try await server.write("/a", "old")
        try await server.folder("/folder")
        try await server.sync()
        try await server.move("/a", to: "/folder/a")
        try await server.provider.removeItem(path: "/folder")
        if isFile { try await server.write("/folder", "theirs") } else { try await server.folder("/folder") }
        try await server.scanned()
        try await server.expectConverged()
        let again = try await server.reopened()
        try await again.expectConverged()
        let walked = try await again.walked()
        #expect(
            isFile ? walked.count == 3 && walked.last?.hasSuffix(")/a") == true : walked == ["/folder", "/folder/a"])
    }

    @Test(arguments: [false, true])
    func `a directory does not go with what others have put into it or changed there, unless somebody says so`(
        isChanged: Bool
    ) async throws {
        try await server.folder("/k/sub")
        try await server.write("/k/sub/one", "old")
        try await server.sync()
        try await server.delete("/k")
        try await server.write(isChanged ? "/k/sub/one" : "/k/sub/two", "theirs")
        try await server.core.settle()
        #expect(try await server.walked().contains(isChanged ? "/k/sub/one" : "/k/sub/two"))
        try await server.answer(.changedBeforeDeletion, .cancel)
        try await server.expectConverged()
        #expect(try await server.text(isChanged ? "/k/sub/one" : "/k/sub/two") == "theirs")
        try await server.delete("/k")
        try await server.expectConverged()
        #expect(try await server.walked() == [])
    }

    @Test func `a directory into which nobody has looked goes as it is`() async throws {
        try await server.folder("/k/sub")
        try await server.write("/k/sub/one", "old")
        _ = try await server.core.scan(budget: 1)
        try await server.delete("/k")
        try await server.core.settle()
        #expect(try await server.walked() == [])
    }

    @Test(arguments: [false, true])
    func `somebody else's directory is not removed because ours of that name may have been made`(isLost: Bool)
        async throws
    {
        let cut = URLError(.networkConnectionLost)
        server.connection.meet(isLost ? .unanswered(cut) : .lost(cut))
        try await server.make("d")
        try await server.core.settle()
        try await server.delete("/d")
        try await server.folder("/d")
        try await server.write("/d/theirs")
        await server.core.reconnect()
        try await server.sync()
        for record in try await server.core.syncRecords() where !record.waits.contains(.answer) {
            try await server.core.settle(waiting: .seconds(3))
        }
        #expect(try await server.walked() == ["/d", "/d/theirs"])
        try await server.answer(.changedBeforeDeletion, .cancel)
        try await server.expectConverged()
        #expect(try await server.walked() == ["/d", "/d/theirs"])
    }
}
