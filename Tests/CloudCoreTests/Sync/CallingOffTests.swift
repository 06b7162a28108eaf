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
}
