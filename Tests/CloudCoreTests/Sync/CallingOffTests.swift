import FileProviding
import Foundation
import Testing

@testable import CloudCore

/// Commands that are called off while others about the same item are there.
@Suite(.serialized) struct CallingOffTests {
    private let server: Server

    init() throws { server = try Server() }

    private func callOffLast(_ kind: SyncRecord.Kind) async throws {
        let record = try #require(try await server.core.syncRecords().last { $0.kind == kind })
        try await server.core.cancel(record.id)
    }

    @Test(arguments: [false, true])
    func `a second move that is called off leaves the first`(isNameTaken: Bool) async throws {
        try await server.write("/a", "text")
        try await server.sync()
        try await server.move("/a", to: "/b")
        try await server.move("/b", to: "/c")
        if isNameTaken { try await server.put("other", as: "b") }
        try await callOffLast(.move)
        let known = try await server.known()
        #expect(known.count == (isNameTaken ? 2 : 1))
        #expect(try await server.core.item(at: "/b") != nil)
        try await server.expectConverged()
        #expect(try await server.known() == known)
        #expect(try await server.text("/b") == (isNameTaken ? "other" : "text"))
    }

    @Test func `the second of two edits that is called off leaves the first, and what that began with`() async throws {
        try await server.write("/file", "old")
        try await server.sync()
        try await server.edit("/file", "first")
        server.connection.meet(.lost(URLError(.networkConnectionLost)))
        try await server.core.settle()
        try await server.edit("/file", "second")
        try await callOffLast(.upload)
        #expect(try await server.copied("/file") == "first")
        #expect(try server.recovered() == ["second"])
        try await server.write("/file", "theirs")
        await server.core.reconnect()
        try await server.scanned()
        try await server.core.settle()
        #expect(try await server.text("/file") == "theirs")
        #expect(try await server.core.issues().map(\.id.kind) == [.conflict])
    }

    @Test func `a move of something new that is called off leaves it where it was made`() async throws {
        try await server.make("a")
        try await server.put("text", as: "file", in: "/a")
        try await server.move("/a", to: "/b")
        try await callOffLast(.move)
        #expect(try await server.known() == ["/a", "/a/file"])
        try await server.expectConverged()
        #expect(try await server.walked() == ["/a", "/a/file"])
    }

    @Test func `a removal that is called off leaves what was moved before where it was moved to`() async throws {
        try await server.write("/a", "text")
        try await server.sync()
        try await server.move("/a", to: "/b")
        try await server.delete("/b")
        try await callOffLast(.delete)
        #expect(try await server.known() == ["/b"])
        try await server.expectConverged()
        #expect(try await server.walked() == ["/b"])
    }

    @Test func `a move that is called off leaves a later one`() async throws {
        try await server.write("/a", "text")
        try await server.sync()
        try await server.move("/a", to: "/b")
        try await server.move("/b", to: "/c")
        let first = try #require(try await server.core.syncRecords().first)
        try await server.core.cancel(first.id)
        #expect(try await server.known() == ["/c"])
        try await server.expectConverged()
        #expect(try await server.walked() == ["/c"])
    }

    @Test func `a new file whose removal is called off is sent beside one that has its name by then`() async throws {
        try await server.put("1", as: "file")
        server.connection.meet(.lost(URLError(.networkConnectionLost)))
        try await server.core.settle()
        try await server.delete("/file")
        try await server.put("2", as: "file")
        try await callOffLast(.delete)
        for _ in 0..<2 {
            try await server.sync()
            for issue in try await server.core.issues() { try await server.core.resolve(issue.id, with: .keepBoth) }
        }
        try await server.expectConverged()
        var texts: [String] = []
        for path in try await server.walked() { texts.append(try await server.text(ItemPath(validating: path))) }
        #expect(texts.sorted() == ["1", "2"])
    }

    @Test(arguments: [false, true])
    func `a directory that comes back beside a new one of its name stays another`(isRemoved: Bool) async throws {
        try await server.folder("/d/old")
        try await server.sync()
        if isRemoved { try await server.delete("/d") } else { try await server.move("/d", to: "/e") }
        try await server.make("d")
        try await server.put("new", as: "file", in: "/d")
        try await callOffLast(isRemoved ? .delete : .move)
        try await server.expectConverged()
        let walked = try await server.walked()
        #expect(walked.count == 4)
        #expect(walked.contains("/d/file"))
        #expect(walked.contains { $0.hasPrefix("/d (") && $0.hasSuffix("/old") })
    }

    @Test func `a file that comes back beside a new one of its name is not what that replaces`() async throws {
        try await server.write("/f", "old")
        try await server.sync()
        try await server.delete("/f")
        try await server.put("new", as: "f")
        try await server.write("/f", "theirs")
        try await server.core.settle()
        try await server.answer(.changedBeforeDeletion, .cancel)
        try await server.expectConverged()
        #expect(try await server.text("/f") == "new")
        let other = try await server.walked().first { $0 != "/f" }
        #expect(try await server.text(ItemPath(validating: #require(other))) == "theirs")
    }

    @Test(arguments: [1, 250])
    func `what cannot get another name is not tried for ever`(length: Int) async throws {
        let name = try ItemName(validating: String(repeating: "f", count: length))
        let path = ItemPath.root.appending(name)
        try await server.write(path, "old")
        try await server.sync()
        try await server.move(path, to: "/g")
        try await server.put("new", as: name)
        server.connection.meet(by: { operation in
            if case .move = operation { .lost(CocoaError(.fileWriteNoPermission)) } else { .none }
        })
        try await server.core.settle()
        #expect(server.connection.requests().filter { $0.hasPrefix("move") }.count == 2)
        #expect(try await server.text(path) == "old")
        // The second move is the core's own.
        #expect(try await Set(server.core.issues().map(\.id.kind)) == [.commandRefused, .conflict])
    }

    @Test func `a rename to a name with something in parentheses that is called off is not done`() async throws {
        try await server.write("/report.txt", "old")
        try await server.sync()
        try await server.move("/report.txt", to: "/report (old).txt")
        try await server.put("new", as: "report.txt")
        try await callOffLast(.move)
        try await server.expectConverged()
        #expect(try await server.text("/report.txt") == "new")
        #expect(try await !server.walked().contains("/report (old).txt"))
        #expect(try await server.walked().count == 2)
    }

    @Test func `an edit of a copy that is not made yet shows while that is made`() async throws {
        try await server.write("/a", "text")
        try await server.sync()
        try await server.copy("/a", to: "/b")
        try await server.edit("/b", "longer text")
        let time = try await server.core.item(at: "/b")?.modificationTime
        server.connection.meet(by: { operation in
            if case .upload = operation { .lost(URLError(.cannotConnectToHost)) } else { .none }
        })
        try await server.core.settle()
        #expect(try await server.text("/b") == "text")
        #expect(try await server.core.item(at: "/b")?.size == 11)
        #expect(try await server.core.item(at: "/b")?.modificationTime == time)
        server.connection.meet(by: nil)
        await server.core.reconnect()
        try await server.expectConverged()
        #expect(try await server.text("/b") == "longer text")
    }

    @Test func `what a listing shows where something is to be put waits until that has left`() async throws {
        try await server.folder("/i")
        try await server.sync()
        try await server.folder("/m")
        let running = Task { [core = server.core] in try? await core.engine.run() }
        defer { running.cancel() }
        try await server.move("/i", to: "/m")
        while try await server.core.issues().isEmpty { try await Task.sleep(for: .milliseconds(5)) }
        try await server.provider.moveItem(path: "/i", to: "/s")
        try await server.core.scan()
        try await server.make("s")
        let record = try #require(try await server.core.syncRecords().last)
        while try await server.core.syncRecords().contains(where: { $0.id == record.id && $0.waits.isEmpty }) {
            try await Task.sleep(for: .milliseconds(5))
        }
        #expect(try await server.core.syncRecords().count == 2)
        running.cancel()
        let issue = try #require(try await server.core.issues().first)
        try await server.core.resolve(issue.id, with: .keepBoth)
        try await server.expectConverged()
        #expect(try await server.walked().filter { ["/m", "/s"].contains($0) }.count == 2)
        #expect(try await server.walked().count == 3)
    }
}
