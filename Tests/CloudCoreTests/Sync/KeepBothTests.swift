import FileProviding
import Foundation
import Testing

@testable import CloudCore

/// Keeping both where later commands need what is kept: a copy is of what the vault showed when it was asked for.
@Suite(.serialized) struct KeepBothTests {
    private let server: Server

    init() throws { server = try Server() }

    /// Answers the only question there is by keeping both.
    ///
    /// - Parameter removes: whether a directory is removed that holds what somebody else has put into it: then that is
    ///   asked, and insisted on.
    private func keepBoth(_ kind: CloudCore.Issue.Kind, removing removes: Bool = false) async throws {
        try await server.core.settle()
        try await server.answer(kind, .keepBoth)
        if removes { return try await server.insistOnRemoval() }
        try await server.expectConverged()
    }

    private func text(at path: ItemPath) async -> String? { try? await server.text(path) }

    @Test func `a copy of an edit that was kept beside another is of that edit`() async throws {
        try await server.write("/file", "old")
        try await server.sync()
        try await server.edit("/file", "mine")
        try await server.copy("/file", to: "/copy")
        try await server.write("/file", "theirs")
        try await keepBoth(.conflict)
        #expect(try await server.walked().count == 3)
        #expect(await text(at: "/file") == "theirs")
        #expect(await text(at: "/copy") == "mine")
    }

    @Test func `a later edit is of what was kept, and no answer to what another has written`() async throws {
        try await server.write("/file", "old")
        try await server.sync()
        try await server.edit("/file", "first")
        try await server.copy("/file", to: "/copy")
        try await server.edit("/file", "second")
        try await server.write("/file", "theirs")
        try await keepBoth(.conflict)
        #expect(await text(at: "/file") == "theirs")
        #expect(await text(at: "/copy") == "first")
        let kept = try await server.walked().first { $0.hasPrefix("/file ") }
        #expect(await text(at: try ItemPath(validating: #require(kept))) == "second")
    }

    @Test func `a copy of a copied directory that was kept beside another is of that`() async throws {
        try await server.folder("/a")
        try await server.write("/a/file")
        try await server.sync()
        try await server.copy("/a", to: "/b")
        try await server.copy("/b", to: "/c")
        try await server.folder("/b")
        try await server.write("/b/other")
        // The placeholder becomes one with what is there.
        try await server.scanned()
        try await server.expectConverged()
        #expect(await text(at: "/c/file") == "x")
        #expect(await text(at: "/c/other") == nil)
    }

    @Test(arguments: ["/folder", "/folder/file"] as [ItemPath])
    func `what was edited and copied from something that is removed is kept in the copy`(removed: ItemPath) async throws
    {
        try await server.folder("/folder")
        try await server.write("/folder/file", "old")
        try await server.sync()
        try await server.edit("/folder/file", "mine")
        try await server.copy("/folder/file", to: "/copy")
        try await server.delete(removed)
        try await server.write("/folder/file", "theirs")
        try await keepBoth(.conflict, removing: removed == "/folder")
        #expect(await text(at: "/copy") == "mine")
        #expect(await text(at: "/folder/file") == (removed == "/folder" ? nil : "theirs"))
        #expect(try await server.walked().count == (removed == "/folder" ? 1 : 3))
    }

    @Test func `a copy whose name is taken passes through a directory that is removed`() async throws {
        try await server.folder("/folder")
        try await server.write("/file", "mine")
        try await server.sync()
        try await server.copy("/file", to: "/folder/file")
        try await server.copy("/folder/file", to: "/copy")
        try await server.delete("/folder")
        try await server.write("/folder/file", "theirs")
        try await server.insistOnRemoval()
        #expect(try await server.walked() == ["/copy", "/file"])
        #expect(await text(at: "/copy") == "mine")
    }

    @Test func `a new file whose name is taken passes through a directory that is removed`() async throws {
        try await server.folder("/folder")
        try await server.sync()
        try await server.put("mine", as: "file", in: "/folder")
        try await server.copy("/folder/file", to: "/copy")
        try await server.delete("/folder")
        try await server.write("/folder/file", "theirs")
        try await keepBoth(.conflict, removing: true)
        #expect(try await server.walked() == ["/copy"])
        #expect(await text(at: "/copy") == "mine")
    }

    @Test func `a file that is moved where its name is taken passes through a directory that is removed`() async throws
    {
        try await server.folder("/folder")
        try await server.write("/file", "mine")
        try await server.sync()
        try await server.move("/file", to: "/folder/file")
        try await server.copy("/folder/file", to: "/copy")
        try await server.delete("/folder")
        try await server.write("/folder/file", "theirs")
        try await keepBoth(.nameTaken, removing: true)
        #expect(try await server.walked() == ["/copy"])
        #expect(await text(at: "/copy") == "mine")
    }

    @Test func `a new directory whose name is taken passes through one that is removed`() async throws {
        try await server.folder("/folder")
        try await server.sync()
        try await server.make("inner", in: "/folder")
        try await server.put("mine", as: "file", in: "/folder/inner")
        try await server.copy("/folder/inner", to: "/copy")
        try await server.delete("/folder")
        try await server.folder("/folder/inner")
        try await server.write("/folder/inner/theirs")
        try await keepBoth(.nameTaken, removing: true)
        #expect(try await server.walked() == ["/copy", "/copy/file"])
    }

    @Test func `a copy that has become one with another directory and left a removed one leaves nothing behind`()
        async throws
    {
        try await server.folder("/s")
        try await server.write("/s/file")
        try await server.folder("/t")
        try await server.sync()
        try await server.copy("/s", to: "/t/c")
        try await server.folder("/t/c")
        try await server.scanned()
        try await server.move("/t/c", to: "/c")
        try await server.delete("/t")
        try await server.insistOnRemoval()
        #expect(try await server.known().filter { $0.hasPrefix("/t") } == [])
    }
}
