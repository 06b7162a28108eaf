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
        #expect(try await server.core.syncRecords().map(\.kind) == [.delete])
        try await server.expectConverged()
        #expect(try await server.walked() == [])
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
        try await server.expectConverged()
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
        try await server.expectConverged()
        #expect(try await server.walked() == ["/a"])
        #expect(try await server.core.issues().isEmpty)
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

    @Test func `what is to be sent again is sent before its directory is removed`() async throws {
        try await server.folder("/folder")
        try await server.write("/folder/file", "old")
        try await server.sync()
        try await server.edit("/folder/file", "edited")
        try await server.provider.removeItem(path: "/folder/file")
        while try await !server.core.scan(budget: 100).isComplete {}
        server.connection.meet(.lost(cut))
        try await server.core.settle()
        try await server.delete("/folder")
        #expect(try await server.core.syncRecords().map(\.kind) == [.upload, .delete])
        #expect(try await turns() == [true, false])
        try await server.expectConverged()
        #expect(try await server.walked() == [])
    }

    @Test func `a removed edit that cannot be sent does not take what somebody else has written`() async throws {
        try await server.write("/file", "old")
        try await server.sync()
        try await server.edit("/file", "mine")
        server.connection.meet(.lost(cut))
        try await server.core.settle()
        try await server.write("/file", "theirs")
        while try await !server.core.scan(budget: 100).isComplete {}
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
        for (record, size) in zip(try await core.syncRecords(), [old.size, 3]) {
            let effects = try await core.vault.database.write { try $0.schedule(record.number, in: core.vault) }
            guard case .delete(let known) = effects.begun?.operation else {
                Testing.Issue.record("nothing to remove")
                continue
            }
            #expect(known.version?.size == size)
            if known.path == "/touched" { #expect(known.version?.modificationTime == old.modificationTime) }
        }
    }

    @Test(arguments: [false, true])
    func `what was moved into a directory is there when somebody has replaced that`(isFile: Bool) async throws {
        try await server.write("/a", "old")
        try await server.folder("/folder")
        try await server.sync()
        try await server.move("/a", to: "/folder/a")
        try await server.provider.removeItem(path: "/folder")
        if isFile { try await server.write("/folder", "theirs") } else { try await server.folder("/folder") }
        while try await !server.core.scan(budget: 100).isComplete {}
        try await server.expectConverged()
        let again = try await server.reopened()
        try await again.expectConverged()
        #expect(try await again.walked() == (isFile ? ["/a", "/folder"] : ["/folder", "/folder/a"]))
    }
}
