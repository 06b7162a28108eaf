import FileProviding
import Foundation
import Testing

@testable import CloudCore

/// Removing an item that is no longer at its path.
@Suite struct GoneRemovalTests {
    @Test(arguments: [true, false])
    func `what has moved with its directory before any look at the server is removed where it is`(
        hasFileIDs: Bool
    ) async throws {
        let server = try Server(hasFileIDs: hasFileIDs)
        try await server.folder("/a")
        try await server.write("/a/file")
        try await server.write("/a/other")
        try await server.sync()
        try await server.delete("/a/file")
        try await server.provider.moveItem(path: "/a", to: "/b")
        try await server.core.settle()
        try await server.expectConverged()
        // Without identifiers it counts as a new file, which has to show up.
        #expect(try await server.walked() == (hasFileIDs ? ["/b", "/b/other"] : ["/b", "/b/file", "/b/other"]))
        #expect(try await server.core.issues().isEmpty)
    }

    @Test func `what has moved with its directory is found although another has taken the name of that`() async throws {
        let server = try Server()
        try await server.folder("/a")
        try await server.write("/a/file")
        try await server.sync()
        try await server.delete("/a/file")
        try await server.provider.moveItem(path: "/a", to: "/b")
        try await server.folder("/a")
        try await server.write("/a/file", "theirs")
        try await server.core.settle()
        try await server.expectConverged()
        #expect(try await server.walked() == ["/a", "/a/file", "/b"])
    }

    @Test(arguments: [true, false])
    func `what is gone already is removed by one request, and a look at its directory later`(
        hasFileIDs: Bool
    ) async throws {
        let server = try Server(hasFileIDs: hasFileIDs)
        try await server.folder("/a")
        for path in ["/a/file", "/file"] as [ItemPath] { try await server.write(path) }
        try await server.sync()
        for path in ["/a/file", "/file"] as [ItemPath] { try await server.provider.removeItem(path: path) }
        _ = server.connection.requests()
        for path in ["/a/file", "/file"] as [ItemPath] { try await server.core.delete(server.id(path)) }
        #expect(server.connection.requests() == ["delete /a/file", "delete /file"])
        try await server.scanned()
        #expect(Set(server.connection.requests().filter { $0.hasPrefix("list") }) == ["list /", "list /a"])
        try await server.expectConverged()
    }

    @Test func `what has another name in its directory by now is to be seen again`() async throws {
        let server = try Server()
        try await server.folder("/a")
        try await server.write("/a/file")
        try await server.sync()
        try await server.provider.moveItem(path: "/a/file", to: "/a/renamed")
        try await server.delete("/a/file")
        try await server.expectConverged()
        #expect(try await server.known() == ["/a", "/a/renamed"])
    }

    @Test(arguments: [true, false])
    func `what somebody else has removed with a directory that is removed here too asks nothing`(
        hasFileIDs: Bool
    ) async throws {
        let server = try Server(hasFileIDs: hasFileIDs)
        try await server.folder("/a")
        try await server.write("/a/file")
        try await server.write("/other")
        try await server.sync()
        let removal = try await server.accept(.delete(server.id("/a/file")))
        try await server.delete("/a")
        try await server.provider.removeItem(path: "/a")
        try await server.core.settle()
        try await expectDone(removal, on: server)
    }

    @Test func `what somebody else has removed with its directory asks nothing, whatever became of the first try`()
        async throws
    {
        let passed = Locked<Int64>(0)
        let server = try Server(clock: { FileTime(Date()).later(bySeconds: passed.withLock { $0 }) })
        try await server.folder("/a")
        try await server.write("/a/file")
        try await server.write("/other")
        try await server.sync()
        let removal = try await server.accept(.delete(server.id("/a/file")))
        server.connection.meet(.unanswered(URLError(.networkConnectionLost)))
        try await server.core.settle()
        try await server.provider.removeItem(path: "/a")
        for _ in 0..<8 {
            passed.withLock { $0 += 300 }
            try await server.core.settle()
        }
        try await expectDone(removal, on: server)
    }

    @Test func `what was removed stays removed while a loss of everything is asked about`() async throws {
        let passed = Locked<Int64>(0)
        let server = try Server(clock: { FileTime(Date()).later(bySeconds: passed.withLock { $0 }) })
        try await server.folder("/a")
        for number in 0..<12 { try await server.write(ItemPath(validating: "/a/\(number)")) }
        try await server.sync()
        try await server.delete("/a/1")
        try await server.provider.removeItem(path: "/a")
        for _ in 0..<8 {
            try await server.core.settle()
            passed.withLock { $0 += 60 }
        }
        #expect(try await server.core.item(at: "/a/1") == nil)
        #expect(try await server.core.issues().map(\.id.kind) == [.itemsVanished])
        try await server.core.resolve(CloudCore.Issue.ID(.itemsVanished), with: .takeServer)
        passed.withLock { $0 += 600 }
        try await server.expectConverged()
        #expect(try await server.core.issues().isEmpty)
    }

    /// Expects that a removal succeeded without asking anything, and that only "/other" is left.
    private func expectDone(_ removal: PendingCommand, on server: Server) async throws {
        #expect(try await server.core.syncRecords().isEmpty)
        _ = try await removal.item
        try await server.expectConverged()
        #expect(try await server.core.issues().isEmpty)
        #expect(try await server.walked() == ["/other"])
    }
}
