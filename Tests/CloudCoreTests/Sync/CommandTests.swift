import FileProviding
import Foundation
import Testing

@testable import CloudCore

@Suite(.serialized) struct CommandTests {
    private let server: Server

    init() throws { server = try Server() }

    @Test func `a command shows at once and reaches the server in its turn`() async throws {
        try await server.make("a")
        try await server.put("hello", as: "note.txt", in: "/a")
        #expect(try await server.known() == ["/a", "/a/note.txt"])
        #expect(try await server.core.item(at: "/a/note.txt")?.cloudStatus == .localOnly)
        #expect(try await server.copied("/a/note.txt") == "hello")
        #expect(try await server.walked() == [])
        #expect(try await server.core.syncRecords().map(\.kind) == [.createFolder, .upload])

        try await server.core.settle()
        #expect(try await server.text("/a/note.txt") == "hello")
        #expect(try await server.core.item(at: "/a/note.txt")?.cloudStatus == .localCopy)
        try await server.expectConverged()
    }

    @Test func `nothing is done in a directory while another command moves it, wherever both are to be later`()
        async throws
    {
        try await server.folder("/a")
        try await server.folder("/x")
        try await server.write("/x/gone")
        try await server.sync()
        try await server.move("/x", to: "/a/x")
        try await server.delete("/a/x/gone")
        try await server.make("new", in: "/a/x")
        try await server.make("inside", in: "/a/x/new")
        let a = try await server.id("/a")
        try await server.move("/a", to: "/b")
        try await server.move("/b/x/new", to: "/new")
        try await server.move("/b/x", to: "/y")
        let standings = try await server.core.vault.database.read { try $0.standings(after: 0, atMost: 10) }
        #expect(standings.map(\.touch).prefix(4).allSatisfy { $0.used.contains(.item(a)) })
        try await server.expectConverged()
        #expect(try await server.walked() == ["/b", "/new", "/new/inside", "/y"])
    }

    @Test func `nothing is made where the server has an item that is to go, wherever that was taken here`() async throws
    {
        try await server.write("/old", "old")
        try await server.sync()
        try await server.move("/old", to: "/moved")
        try await server.delete("/moved")
        try await server.put("new", as: "old")
        let standings = try await server.core.vault.database.read { try $0.standings(after: 0, atMost: 10) }
        #expect(standings.map(\.record.kind) == [.move, .delete, .upload])
        var lanes = Lanes()
        #expect(standings.map { lanes.add($0.record.number, touching: $0.touch) } == [true, false, false])
        try await server.expectConverged()
        #expect(try await server.text("/old") == "new")
        #expect(try await server.core.issues().isEmpty)
    }

    @Test func `every command does on the server what it does here`() async throws {
        try await server.folder("/old")
        try await server.write("/old/file", "contents")
        try await server.write("/gone")
        try await server.sync()
        try await server.make("new")
        try await server.move("/old/file", to: "/new/renamed")
        try await server.copy("/new/renamed", to: "/copy")
        try await server.delete("/gone")
        _ = try await server.accept(.download(server.id("/new/renamed")))
        try await server.edit("/new/renamed", "edited")
        try await server.expectConverged()
        #expect(try await server.walked() == ["/copy", "/new", "/new/renamed", "/old"])
        #expect(try await server.text("/new/renamed") == "edited")
        #expect(try await server.text("/copy") == "contents")
    }

    @Test func `a command that cannot be is refused before anything is changed`() async throws {
        try await server.write("/file")
        try await server.folder("/a/b")
        try await server.sync()
        let (file, a, b) = (try await server.id("/file"), try await server.id("/a"), try await server.id("/a/b"))
        await #expect { try await server.accept(.createFolder("file", in: .root)) } throws: { $0.isFileExists }
        await #expect { try await server.accept(.move(a, to: b, as: "x")) } throws: {
            $0.localizedDescription.contains("into itself")
        }
        await #expect { try await server.accept(.createFolder("x", in: file)) } throws: { $0.isNotADirectory }
        await #expect { try await server.accept(.modify(a, ByteStream(Data()))) } throws: { $0.isADirectory }
        await #expect { try await server.accept(.delete(.root)) } throws: { !$0.isNoSuchFile }
        await #expect { try await server.accept(.delete(LocalID(rawValue: 999))) } throws: { $0.isNoSuchFile }
        #expect(try await server.core.syncRecords().isEmpty)
        let copies = try server.core.vault.folder.appending("copies").entryNames()
        #expect(copies.isEmpty)
    }

    @Test func `an item that is not there is looked for, however often the way was lost before`() async throws {
        let server = try Server()
        try await server.write("/a")
        try await server.sync()
        try await server.move("/a", to: "/b")
        let id = try #require(try await server.core.syncRecords().first).id
        func fail(_ error: any Error) async throws -> SyncRecord? {
            try await server.core.vault.database.write { [vault = server.core.vault] writer in
                var record = try #require(try writer.reader.record(id))
                (record.attempts, record.phase) = (record.attempts + 1, .running)
                try writer.update(record)
                var effects = SyncEffects(vault: vault)
                try writer.fail(record, EventFailure(error), isCancelled: false, &effects)
                return try writer.reader.record(id)
            }
        }
        for _ in 0..<12 { #expect(try await fail(URLError(.networkConnectionLost)) != nil) }
        for _ in 0..<3 { #expect(try await fail(CocoaError(.fileNoSuchFile)) != nil) }
        #expect(try await fail(CocoaError(.fileNoSuchFile)) == nil)
        #expect(try await server.core.item(at: "/a") != nil)
    }

    @Test func `a query tells that contents are on their way, and that they are no longer`() async throws {
        let server = try Server()
        try await server.write("/a")
        let query = try await server.running(.location("/"))
        func told() async throws -> [SyncActivity?] {
            try await server.core.pump.follow()
            return query.changes().updated.map(\.item.activity)
        }
        _ = query.changes()
        server.connection.fail(with: URLError(.notConnectedToInternet))
        let command = try await server.accept(.download(server.id("/a")))
        #expect(try await told() == [.downloading])
        try await server.core.cancel(command.id)
        #expect(try await told() == [nil])
        #expect(query.queryResults.map(\.downloadTrigger) == [nil])

        _ = try await server.accept(.download(server.id("/a")))
        server.connection.fail(with: nil)
        try await server.sync()
        #expect(try await told() == [nil])
        #expect(query.queryResults.map(\.downloadTrigger) == [.asked])
        #expect(query.queryResults.map(\.cloudStatus) == [.localCopy])

        server.connection.fail(with: URLError(.notConnectedToInternet))
        try await server.edit("/a", "mine")
        #expect(try await told() == [.uploading])
    }

    @Test func `a file that was removed while it was on its way here is on no way when it comes back`() async throws {
        let server = try Server()
        try await server.write("/a")
        try await server.sync()
        server.connection.fail(with: URLError(.notConnectedToInternet))
        let id = try await server.id("/a")
        _ = try await server.accept(.download(id))
        let removal = try await server.accept(.delete(id))
        #expect(try await server.core.syncRecords().map(\.kind) == [.delete])
        try await server.core.cancel(removal.id)
        let item = try #require(try await server.core.item(id))
        #expect(!item.isRemoved && item.activity == nil && item.downloadTrigger == nil)
    }

    @Test func `the async form waits for the server, the callback form tells of it once`() async throws {
        let core = server.core
        let running = Task { await core.run(every: .seconds(86_400)) }
        let folder = try await core.createFolder("a", in: .root)
        #expect(folder.cloudStatus == .cloudOnly)
        #expect(try await server.walked() == ["/a"])
        let (item, progress): (Item?, Progress) = await withCheckedContinuation { continuation in
            let box = Locked<Progress?>(nil)
            let gate = DispatchSemaphore(value: 0)
            let progress = core.perform(.upload(ByteStream(Data("12345".utf8)), as: "b", in: folder.localID)) {
                item, _ in
                gate.wait()
                continuation.resume(returning: (item, box.withLock { $0! }))
            }
            box.withLock { $0 = progress }
            gate.signal()
        }
        #expect(item?.cloudStatus == .localCopy)
        #expect(progress.completedUnitCount == 5)
        #expect(progress.isFinished)
        try await core.rename(folder.localID, to: "c")
        #expect(try await server.walked() == ["/c", "/c/b"])
        await #expect { try await core.createFolder("c", in: .root) } throws: { $0.isFileExists }
        running.cancel()
        await running.value
    }

    @Test func `what is downloaded is here, and is not fetched twice`() async throws {
        try await server.write("/file", "contents")
        try await server.sync()
        _ = server.connection.requests()
        for _ in 0..<2 {
            _ = try await server.accept(.download(server.id("/file")))
            try await server.core.settle()
        }
        #expect(server.connection.requests() == ["download /file"])
        #expect(try await server.copied("/file") == "contents")
        #expect(try await server.core.item(at: "/file")?.cloudStatus == .localCopy)

        try await server.write("/file", "newer")
        try await server.sync()
        _ = try await server.accept(.download(server.id("/file")))
        try await server.core.settle()
        #expect(try await server.copied("/file") == "newer")
        let copies = try server.core.vault.folder.appending("copies").entryNames()
        #expect(copies.count == 1)
    }

    @Test func `a file that was never sent is not sent when it is removed, and is sent once where it was moved to`()
        async throws
    {
        try await server.make("a")
        try await server.put("1", as: "removed", in: "/a")
        try await server.put("2", as: "moved", in: "/a")
        try await server.move("/a/moved", to: "/kept")
        try await server.delete("/a/removed")
        try await server.delete("/a")
        _ = server.connection.requests()
        try await server.core.settle()
        #expect(server.connection.requests() == ["upload /kept"])
        try await server.expectConverged()
        #expect(try server.recovered() == [])
    }

    @Test(arguments: [false, true], ["", "edited", "moved", "removed", "moved and removed"])
    func `a copy is one of what it was made from, whatever becomes of that`(isNew: Bool, fate: String) async throws {
        try await server.make("dir")
        if isNew {
            try await server.put("mine", as: "x", in: "/dir")
        } else {
            try await server.put("old", as: "x", in: "/dir")
            try await server.sync()
            try await server.edit("/dir/x", "mine")
        }
        let isItself = !fate.hasPrefix("moved")
        if isItself { try await server.copy("/dir/x", to: "/y") }
        try await server.copy("/dir", to: "/z")
        switch fate {
        case "edited": try await server.edit("/dir/x", "later")
        case "moved": try await server.move("/dir/x", to: "/elsewhere")
        case "moved and removed":
            try await server.move("/dir/x", to: "/elsewhere")
            try await server.delete("/elsewhere")
        case "removed": try await server.delete("/dir")
        default: break
        }
        try await server.expectConverged()
        if isItself { #expect(try await server.text("/y") == "mine") }
        #expect(try await server.text("/z/x") == "mine")
        #expect(try await server.core.issues().isEmpty)
    }

    @Test(arguments: [false, true])
    func `a copy is one of what a directory in it had, whatever becomes of that elsewhere`(
        isMoved: Bool
    ) async throws {
        try await server.make("dir")
        try await server.make("sub", in: "/dir")
        try await server.put("mine", as: "x", in: "/dir/sub")
        try await server.copy("/dir", to: "/z")
        try await server.move("/dir/sub", to: "/sub")
        if isMoved { try await server.move("/sub/x", to: "/x") } else { try await server.edit("/sub/x", "later") }
        try await server.expectConverged()
        #expect(try await server.text("/z/sub/x") == "mine")
        #expect(try await server.text(isMoved ? "/x" : "/sub/x") == (isMoved ? "mine" : "later"))
    }

    @Test func `a copy of what somebody else has changed waits for what becomes of the edit`() async throws {
        for isNew in [true, false] {
            let server = try Server()
            if !isNew {
                try await server.write("/f", "old")
                try await server.sync()
                try await server.edit("/f", "mine")
            } else {
                try await server.put("mine", as: "f")
            }
            try await server.copy("/f", to: "/g")
            try await server.delete("/f")
            try await server.write("/f", "theirs")
            try await server.core.settle()
            try await server.answer(.conflict, .replace)
            try await server.expectConverged()
            #expect(try await server.walked() == ["/g"])
            #expect(try await server.text("/g") == "mine")
        }
    }

    @Test func `a copy is kept beside a directory that has been found under its name`() async throws {
        try await server.folder("/s")
        try await server.write("/s/file")
        try await server.sync()
        try await server.copy("/s", to: "/t")
        try await server.folder("/t")
        try await server.write("/t/theirs")
        try await server.scanned()
        let theirs = try await server.id("/t/theirs")
        try await server.expectConverged()
        #expect(try await server.core.issues().isEmpty)
        #expect(try await server.id("/t/theirs") == theirs)
        let walked = try await server.walked()
        #expect(walked.count == 6)
        #expect(walked.contains { $0.hasPrefix("/t (") && $0.hasSuffix(")/file") })
    }

    @Test func `edits behind a copy are one, and no matter of that`() async throws {
        try await server.write("/x", "old")
        try await server.sync()
        try await server.copy("/x", to: "/y")
        for text in ["1", "2", "3"] { try await server.edit("/x", text) }
        #expect(try await server.core.syncRecords().map(\.kind) == [.copy, .upload])
        #expect(try server.core.vault.folder.appending("copies").entryNames().count == 1)
        try await server.expectConverged()
        #expect(try await server.text("/x") == "3")
        #expect(try await server.text("/y") == "old")
    }

    @Test func `a copy whose name is taken gets another, and holds up nothing`() async throws {
        try await server.folder("/d")
        try await server.write("/d/file")
        try await server.sync()
        try await server.copy("/d", to: "/z")
        try await server.write("/z", "theirs")
        try await server.put("new", as: "new", in: "/d")
        try await server.expectConverged()
        #expect(try await server.core.issues().isEmpty)
        #expect(try await server.text("/z") == "theirs")
        #expect(try await server.text("/d/new") == "new")
        #expect(try await server.walked().contains { $0.hasPrefix("/z (") && $0.hasSuffix(")/file") })
    }

    @Test func `a copy that another name does not help asks`() async throws {
        try await server.folder("/d")
        try await server.write("/file")
        try await server.sync()
        try await server.put("new", as: "new", in: "/d")
        try await server.copy("/file", to: "/d/copy")
        try await server.provider.removeItem(path: "/d")
        try await server.scanned()
        try await server.write("/d", "theirs")
        try await server.core.settle()
        #expect(try await server.core.issues().contains { $0.id.kind == .nameTaken })
        for _ in 0..<2 {
            for issue in try await server.core.issues() { try await server.core.resolve(issue.id, with: .cancel) }
            try await server.core.settle()
        }
        try await server.expectConverged()
        #expect(try await server.text("/d") == "theirs")
        #expect(try server.recovered() == ["new"])
    }

    @Test func `names that are exchanged arrive exchanged`() async throws {
        try await server.write("/a", "was a")
        try await server.write("/b", "was b, longer")
        try await server.sync()
        try await server.move("/a", to: "/between")
        try await server.move("/b", to: "/a")
        try await server.move("/between", to: "/b")
        try await server.expectConverged()
        #expect(try await server.text("/a") == "was b, longer")
        #expect(try await server.text("/b") == "was a")
    }

    @Test func `a scan does not undo what has not been sent yet`() async throws {
        try await server.folder("/a/b")
        try await server.write("/a/b/file")
        try await server.write("/gone")
        try await server.sync()
        let file = try await server.id("/a/b/file")
        try await server.move("/a/b", to: "/moved")
        try await server.move("/moved/file", to: "/file")
        try await server.delete("/gone")
        try await server.write("/a/b/other")
        try await server.core.deepCheck()
        #expect(try await server.known() == ["/a", "/file", "/moved", "/moved/other"])
        #expect(try await server.core.item(file)?.path == "/file")
        try await server.expectConverged()
        #expect(try await server.walked() == ["/a", "/file", "/moved", "/moved/other"])
    }

    @Test func `what is to be sent and is gone is a question`() async throws {
        try await server.put("text", as: "file")
        let copy = try #require(try await server.core.localCopy(of: server.id("/file")))
        #expect(unlink(copy.description) == 0)
        try await server.core.settle()
        #expect(try await server.core.issues().map(\.id.kind) == [.commandFailed])
    }

    /// Foundation's progress ends the process when what had units has none any more.
    @Test func `a file that was emptied after an attempt is sent`() async throws {
        try await server.write("/file", "text")
        try await server.sync()
        server.connection.meet(.lost(URLError(.cannotConnectToHost)))
        try await server.edit("/file", "longer text")
        let pending = try #require(try await server.core.pendingCommand(server.core.syncRecords()[0].id))
        try await server.core.settle()
        try await server.edit("/file", "")
        await server.core.reconnect()
        try await server.expectConverged()
        #expect(try await server.text("/file").isEmpty)
        #expect(pending.progress.fractionCompleted == 1)
    }

    @Test func `a command tells its item, to which others can refer before the server has it`() async throws {
        let folder = try await server.accept(.createFolder("a", in: .root))
        let file = try await server.accept(.upload(ByteStream(Data("x".utf8)), as: "file", in: folder.itemID))
        let copy = try await server.accept(.copy(file.itemID, to: .root, as: "copy"))
        #expect(try await folder.itemID == server.id("/a"))
        #expect(try await [file, copy].map(\.itemID) == [server.id("/a/file"), server.id("/copy")])
        #expect(try await server.accept(.move(file.itemID, to: .root, as: "moved")).itemID == file.itemID)
        let again = try await server.reopened()
        #expect(try await again.core.pendingCommand(copy.id)?.itemID == copy.itemID)
        try await again.expectConverged()
        #expect(try await again.walked() == ["/a", "/copy", "/moved"])
    }

    @Test func `commands survive the program's end`() async throws {
        try await server.make("a")
        try await server.put("x", as: "file", in: "/a")
        let ids = try await server.core.syncRecords().map(\.id)
        let again = try await server.reopened()
        #expect(try await again.core.syncRecords().map(\.id) == ids)
        let pending = try #require(try await again.core.pendingCommand(ids[1]))
        #expect(pending.progress.totalUnitCount == 1)
        try await again.core.settle()
        #expect(try await pending.item.cloudStatus == .localCopy)
        #expect(try await again.core.pendingCommand(ids[1]) == nil)
        try await again.expectConverged()
    }

    @Test func `cancelling takes back what was done here, and keeps what only the vault has`() async throws {
        try await server.write("/moved")
        try await server.write("/removed")
        try await server.write("/edited", "server's")
        try await server.sync()
        try await server.move("/moved", to: "/elsewhere")
        try await server.delete("/removed")
        try await server.edit("/edited", "mine")
        try await server.make("folder")
        try await server.put("new", as: "new", in: "/folder")
        for record in try await server.core.syncRecords() { try await server.core.cancel(record.id) }
        #expect(try await server.known() == ["/edited", "/moved", "/removed"])
        #expect(try await server.core.item(at: "/edited")?.size == 8)
        #expect(try await server.core.item(at: "/edited")?.cloudStatus == .cloudOnly)
        #expect(try server.recovered() == ["mine", "new"])
        _ = server.connection.requests()
        try await server.core.settle()
        #expect(server.connection.requests() == [])
        try await server.expectConverged()
    }
}
