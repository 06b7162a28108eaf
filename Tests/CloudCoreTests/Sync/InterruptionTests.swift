import FileProviding
import Foundation
import Testing

@testable import CloudCore

/// What breaks on the way, and what is left of it.
@Suite(.serialized) struct InterruptionTests {
    private let server: Server
    /// How many seconds the clock of a vault is ahead.
    private let passed = Locked<Int64>(0)

    init() throws { server = try Server(clock: Self.clock(passed)) }

    private func server(propagates: Bool = true, hasFileIDs: Bool = true) throws -> Server {
        try Server(propagates: propagates, hasFileIDs: hasFileIDs, clock: Self.clock(passed))
    }

    private static func clock(_ passed: Locked<Int64>) -> @Sendable () -> FileTime {
        { FileTime(Date()).later(bySeconds: passed.withLock { $0 }) }
    }

    /// Lets time pass.
    private func pass(seconds: Int64) { passed.withLock { $0 += seconds } }

    private let cut = URLError(.networkConnectionLost)
    private let away = URLError(.cannotConnectToHost)

    /// How often the server got contents for a path.
    private func versions(of path: ItemPath) async throws -> Int {
        server.connection.requests().filter { $0 == "upload \(path)" }.count
    }

    @Test func `an upload whose reply is lost is a success, and one version on the server`() async throws {
        try await server.put("new", as: "new")
        server.connection.meet(.unanswered(cut))
        try await server.core.settle()
        #expect(server.core.connectionStatus == .offline)
        #expect(try await server.text("/new") == "new")
        #expect(try await server.core.item(at: "/new")?.cloudStatus == .localOnly)
        let version = try await server.provider.attributesOfItem(path: "/new").etag
        try await server.expectConverged()
        #expect(try await server.provider.attributesOfItem(path: "/new").etag == version)

        try await server.edit("/new", "edited")
        server.connection.meet(.unanswered(cut))
        try await server.core.settle()
        let second = try await server.provider.attributesOfItem(path: "/new").etag
        try await server.expectConverged()
        #expect(try await server.provider.attributesOfItem(path: "/new").etag == second)
        #expect(try await server.core.issues().isEmpty)
    }

    @Test func `what was under way when the program ended can be cancelled before it goes on`() async throws {
        try await server.folder("/folder")
        try await server.sync()
        try await server.put("new", as: "file", in: "/folder")
        try await server.move("/folder", to: "/moved")
        try await server.core.vault.database.write { writer in
            for var record in try writer.reader.records(after: 0) {
                (record.phase, record.attempts) = (.running, 1)
                try writer.begin(record)
            }
        }
        // The server has done one of them.
        try await server.provider.moveItem(path: "/folder", to: "/moved")
        let again = try await server.reopened()
        for record in try await again.core.syncRecords() { try await again.core.cancel(record.id) }
        #expect(try await again.core.syncRecords().isEmpty)
        #expect(try again.recovered() == ["new"])
        try await again.expectConverged()
        #expect(try await again.known() == ["/moved"])
    }

    @Test func `contents that arrive late take no edit of what the server has lost`() async throws {
        try await server.folder("/folder")
        try await server.write("/folder/file", "old")
        try await server.write("/other")
        try await server.sync()
        _ = try await server.accept(.download(server.id("/folder/file")))
        let record = try #require(try await server.core.syncRecords().first)
        try await server.core.vault.database.write { [core = server.core] in
            _ = try $0.schedule(record.number, SyncEffects(vault: core.vault))
        }
        try Data("old".utf8).write(to: URL(filePath: server.core.vault.arrival(of: record.id).description))
        try await server.edit("/folder/file", "mine")
        try await server.provider.removeItem(path: "/folder")
        try await server.scanned()
        try await server.core.receive(Event(id: record.id, attempt: 1, outcome: .done(Event.Result())))
        try await server.expectConverged()
        #expect(try await server.text("/folder/file") == "mine")
    }

    @Test func `an attempt that begins while another is not over is one in doubt`() async throws {
        try await server.make("folder")
        let record = try #require(try await server.core.syncRecords().first)
        for isDoubtful in [false, true] {
            let begun = try await server.core.vault.database.write { [core = server.core] writer in
                _ = try writer.schedule(record.number, SyncEffects(vault: core.vault))
                return try writer.reader.record(record.id)
            }
            #expect(begun?.isDoubtful == isDoubtful)
        }
    }

    @Test func `an edit after a lost reply is a version of its own, on top of the one that arrived`() async throws {
        try await server.write("/file", "old")
        try await server.sync()
        try await server.edit("/file", "first")
        server.connection.meet(.unanswered(cut))
        try await server.core.settle()
        try await server.edit("/file", "second")
        #expect(try await server.core.syncRecords().count == 2)
        try await server.expectConverged()
        #expect(try await server.text("/file") == "second")
        #expect(try await server.core.issues().isEmpty)
    }

    @Test func `what is in the way of an upload that may have arrived is asked about, however often work begins`()
        async throws
    {
        try await server.put("mine", as: "file")
        server.connection.meet(.lost(cut))
        try await server.core.settle()
        try await server.write("/file", "theirs")
        for _ in 1...8 {
            await server.core.reconnect()
            for _ in 1...2 { try await server.core.settle() }
            pass(seconds: 600)
        }
        #expect(try await server.core.issues().map(\.id.kind) == [.conflict])
        #expect(try await server.text("/file") == "theirs")
    }

    @Test(arguments: [true, false])
    func `moves, copies and deletions whose replies are lost are not done twice`(hasFileIDs: Bool) async throws {
        let server = try server(hasFileIDs: hasFileIDs)
        try await server.write("/moved", "1")
        try await server.write("/copied", "2")
        try await server.write("/removed", "3")
        try await server.sync()
        try await server.move("/moved", to: "/there")
        try await server.copy("/copied", to: "/copy")
        try await server.delete("/removed")
        try await server.make("folder")
        server.connection.meet(.unanswered(cut), .unanswered(cut), .unanswered(cut), .unanswered(cut))
        try await server.core.settle()
        #expect(try await server.core.syncRecords().count == 4)
        pass(seconds: 2)
        try await server.expectConverged()
        #expect(try await server.core.issues().isEmpty)
        #expect(try await server.walked() == ["/copied", "/copy", "/folder", "/there"])
    }

    @Test(arguments: [true, false])
    func `what an unfinished command has put on the server is nothing new there, wherever the item is by now`(
        hasFileIDs: Bool
    ) async throws {
        let server = try server(hasFileIDs: hasFileIDs)
        try await server.folder("/folder")
        try await server.write("/folder/inside")
        try await server.sync()
        try await server.move("/folder", to: "/first")
        try await server.put("new", as: "uploaded")
        server.connection.meet(.unanswered(cut), .unanswered(cut))
        try await server.core.settle()
        try await server.move("/first", to: "/second")
        try await server.move("/uploaded", to: "/renamed")
        while try await !server.core.scan(budget: 1_000).isComplete {}
        #expect(try await server.walked() == ["/first", "/first/inside", "/uploaded"])
        #expect(try await server.known() == ["/renamed", "/second", "/second/inside"])
        pass(seconds: 2)
        try await server.expectConverged()
        #expect(try await server.walked() == ["/renamed", "/second", "/second/inside"])
    }

    @Test(arguments: [true, false])
    func `what stands where an unfinished command was to put something is found when that has failed`(
        propagates: Bool
    ) async throws {
        let server = try server(propagates: propagates, hasFileIDs: false)
        try await server.folder("/a/folder")
        try await server.write("/file")
        try await server.sync()
        try await server.move("/file", to: "/a/folder/first")
        server.connection.meet(.lost(cut))
        try await server.core.settle()
        try await server.write("/a/folder/first", "somebody's")
        try await server.move("/a/folder/first", to: "/file")
        while try await !server.core.scan(budget: 1_000).isComplete {}
        #expect(try await server.known() == ["/a", "/a/folder", "/file"])
        server.connection.meet(.lost(CocoaError(.fileWriteNoPermission)))
        pass(seconds: 2)
        try await server.expectConverged()
        #expect(try await server.walked() == ["/a", "/a/folder", "/a/folder/first", "/file"])
    }

    @Test(arguments: [true, false])
    func `what somebody has made where a command took something away is found, once it is known to have done that`(
        propagates: Bool
    ) async throws {
        let server = try server(propagates: propagates)
        for folder: ItemPath in ["/a/removed", "/a/moved", "/b"] { try await server.folder(folder) }
        for file: ItemPath in ["/a/removed/x", "/a/moved/x"] { try await server.write(file) }
        try await server.sync()
        try await server.delete("/a/removed/x")
        try await server.move("/a/moved/x", to: "/b/x")
        server.connection.meet(.unanswered(cut), .unanswered(cut))
        try await server.core.settle()
        for file: ItemPath in ["/a/removed/x", "/a/moved/x"] { try await server.write(file, "somebody's") }
        while try await !server.core.scan(budget: 1_000).isComplete {}
        pass(seconds: 2)
        try await server.expectConverged()
        #expect(try await server.known().filter { $0.hasSuffix("x") } == ["/a/moved/x", "/a/removed/x", "/b/x"])
    }

    @Test func `an item that somebody has moved to where an unfinished command was to put another stays the same`()
        async throws
    {
        for folder: ItemPath in ["/here", "/there"] { try await server.folder(folder) }
        try await server.write("/there/known")
        try await server.sync()
        let known = try await server.id("/there/known")
        try await server.put("new", as: "file", in: "/here")
        server.connection.meet(.lost(cut))
        try await server.core.settle()
        try await server.move("/here/file", to: "/file")
        try await server.provider.moveItem(path: "/there/known", to: "/here/file")
        while try await !server.core.scan(budget: 1_000).isComplete {}
        #expect(try await server.id("/here/file") == known)
    }

    @Test func `a listing under way is told from what commands change also when the engine starts anew`() async throws {
        let database = server.core.vault.database
        let (place, before) = (Place("file", in: .root), try await database.read { try $0.anchor() })
        try await database.whileListing {
            try await database.write { try $0.markSettled(place) }
            try await database.write { try $0.resetInterruptedRecords() }
            #expect(try await database.read { try $0.isSettled(place, since: before) })
        }
        try await database.write { try $0.resetInterruptedRecords() }
        #expect(try await !database.read { try $0.isSettled(place, since: before) })
    }

    @Test func `what commands have changed is noted for no longer than something is listed`() async throws {
        let database = server.core.vault.database
        let (place, before) = (Place("file", in: .root), try await database.read { try $0.anchor() })
        try await database.whileListing {
            try await database.write { try $0.markSettled(place) }
            try await database.write { _ in }
            #expect(try await database.read { try $0.isSettled(place, since: before) })
        }
        try await database.write { _ in }
        #expect(try await !database.read { try $0.isSettled(place, since: before) })
    }

    @Test(arguments: ["move /a /b", "delete /a"], [false, true])
    func `what the server may still be at is not asked for again at once`(request: String, isKilled: Bool) async throws
    {
        var server = server
        try await server.folder("/a")
        try await server.sync()
        if request == "delete /a" { try await server.delete("/a") } else { try await server.move("/a", to: "/b") }
        if isKilled {
            let (core, number) = (server.core, try #require(try await server.core.syncRecords().first).number)
            _ = try await core.vault.database.write { try $0.schedule(number, SyncEffects(vault: core.vault)) }
            server = try await server.reopened()
        } else {
            server.connection.meet(.lost(cut))
        }
        try await server.core.settle()
        _ = server.connection.requests()
        try await server.core.settle()
        #expect(!server.connection.requests().contains(request))
        pass(seconds: 2)
        try await server.core.settle()
        #expect(server.connection.requests().filter { $0 == request }.count == 1)
        try await server.expectConverged()
    }

    @Test func `a removal whose reply was lost does not remove what somebody has made there since`() async throws {
        try await server.write("/file", "old")
        try await server.sync()
        try await server.delete("/file")
        server.connection.meet(.unanswered(cut))
        try await server.core.settle()
        try await server.write("/file", "somebody's")
        pass(seconds: 2)
        try await server.expectConverged()
        #expect(try await server.text("/file") == "somebody's")
    }

    @Test func `a removal whose reply was lost does not remove what is made here where the server had the item`()
        async throws
    {
        let server = try server(hasFileIDs: false)
        try await server.folder("/a")
        try await server.sync()
        try await server.move("/a", to: "/b")
        try await server.delete("/b")
        try await server.make("a")
        try await server.put("new", as: "file", in: "/a")
        server.connection.meet(.unanswered(cut))
        try await server.core.settle()
        try await server.core.settle()
        pass(seconds: 2)
        try await server.expectConverged()
        #expect(try await server.walked() == ["/a", "/a/file"])
        #expect(try await server.core.issues().isEmpty)
    }

    @Test func `an outcome that was queued before a crash is acted on once by the next start`() async throws {
        try await server.put("x", as: "file")
        let number = try #require(try await server.core.syncRecords().first).number
        try await server.core.vault.database.write {
            _ = try $0.schedule(number, SyncEffects(vault: server.core.vault))
        }
        let record = try #require(try await server.core.syncRecords().first)
        // As a crash leaves it: the server has it, the event is written down, nothing has followed from it.
        try await server.write("/file", "x")
        let present = try await server.provider.attributesOfItem(path: "/file")
        let event = Event(
            id: record.id, attempt: record.attempts,
            outcome: .done(Event.Result(item: ServerVersion(present), contents: present.version)))
        try await server.core.vault.database.write { writer in
            try writer.queue(event)
            try writer.queue(event)
        }
        let again = try await server.reopened()
        _ = again.connection.requests()
        try await again.core.settle()
        #expect(again.connection.requests() == [])
        #expect(try await again.core.item(at: "/file")?.cloudStatus == .localCopy)
        try await again.expectConverged()

        // Once more, much later: nobody awaits it.
        try await again.core.receive(event)
        try await again.expectConverged()
    }

    @Test func `an outcome that comes while the program is away ends the command`() async throws {
        try await server.make("folder")
        let record = try #require(try await server.core.syncRecords().first)
        try await server.core.vault.database.write { writer in
            _ = try writer.schedule(record.number, SyncEffects(vault: server.core.vault))
        }
        let again = try await server.reopened()
        let pending = try #require(try await again.core.pendingCommand(record.id))
        try await again.provider.createDirectory(path: "/folder")
        try await again.core.receive(Event(id: record.id, attempt: 1, outcome: .done(Event.Result())))
        #expect(try await pending.item.cloudStatus == .cloudOnly)
        #expect(try await again.core.syncRecords().isEmpty)
        try await again.expectConverged()
    }

    @Test func `what a crash left under way is ready again, and what was done is found out`() async throws {
        try await server.put("x", as: "file")
        try await server.make("folder")
        for record in try await server.core.syncRecords() {
            try await server.core.vault.database.write {
                _ = try $0.schedule(record.number, SyncEffects(vault: server.core.vault))
            }
        }
        // One of the two had been done.
        try await server.write("/file", "x")
        let again = try await server.reopened()
        #expect(try await again.core.syncRecords().map(\.phase) == [.running, .running])
        _ = server.connection.requests()
        for _ in 0..<2 { try await again.core.settle() }
        // The server may have looked at its condition, and take what was sent later.
        #expect(try await versions(of: "/file") == 0)
        pass(seconds: 2)
        try await again.expectConverged()
        #expect(try await again.core.issues().isEmpty)
        #expect(try await again.walked() == ["/file", "/folder"])
    }

    @Test func `a command that runs is cancelled when its operation has stopped`() async throws {
        try await server.put("mine", as: "file")
        server.connection.meet(.held)
        let settling = Task { try await server.core.settle() }
        while try await server.core.syncRecords().first?.phase != .running { await Task.yield() }
        let pending = try #require(try await server.core.pendingCommand(server.core.syncRecords()[0].id))
        pending.progress.cancel()
        await #expect { try await pending.item } throws: { $0.isCancellation }
        try await settling.value
        #expect(try server.recovered() == ["mine"])
        #expect(try await server.known() == [])
    }

    @Test func `a command that waits for its turn is cancelled although others go on`() async throws {
        let names = (1...8).map { "\($0)" }
        for name in ["first"] + names { try await server.put(name, as: ItemName(validating: name)) }
        server.connection.meet(.none)
        server.connection.meet { _ in .held }
        let settling = Task { try await server.core.settle() }
        // Behind the first, four are sent at a time; the others are written down as begun, and wait.
        var (records, asked) = (try await server.core.syncRecords(), server.connection.requests())
        while records.map(\.phase) != Array(repeating: .running, count: 8) || asked.count < 5 {
            await Task.yield()
            records = try await server.core.syncRecords()
            asked += server.connection.requests()
        }
        let sent = records.filter { record in
            asked.contains { $0 == "upload /\(record.places.last?.name.description ?? "")" }
        }
        #expect(sent.count == 4)
        for record in records where !sent.contains(record) {
            let pending = try #require(try await server.core.pendingCommand(record.id))
            try await server.core.cancel(record.id)
            await #expect { try await pending.item } throws: { $0.isCancellation }
        }
        #expect(try await server.core.syncRecords().map(\.id) == sent.map(\.id))
        #expect(server.connection.requests().isEmpty)
        for record in sent { try await server.core.cancel(record.id) }
        try await settling.value
        #expect(try server.recovered().sorted() == names)
        #expect(try await server.known() == ["/first"])
    }
}
