import FileProviding
import Foundation
import Testing

@testable import CloudCore

/// What was in a directory whose removal does not come about.
@Suite struct RemovedContentsTests {
    private let offline = URLError(.cannotConnectToHost)

    /// How many seconds the vaults' clock is ahead.
    private let passed = Locked<Int64>(0)

    private func server(hasFileIDs: Bool = true) throws -> Server {
        try Server(
            hasFileIDs: hasFileIDs,
            clock: { [passed] in FileTime(Date()).later(bySeconds: passed.withLock { $0 }) })
    }

    /// A removed directory with an edit, another of a file that was renamed then, a draft in a new directory, and a
    /// copy that is available offline.
    private func removed(on server: Server) async throws {
        try await server.folder("/folder/inner")
        for path in ["/folder/report", "/folder/letter", "/folder/inner/pinned"] as [ItemPath] {
            try await server.write(path, "old")
        }
        try await server.sync()
        try await server.core.setAvailableOffline(server.id("/folder/inner/pinned"), true)
        try await server.core.followPolicies()
        try await server.core.settle()
        server.connection.fail(with: offline)
        try await server.edit("/folder/report", "edited")
        try await server.edit("/folder/letter", "written")
        try await server.move("/folder/letter", to: "/folder/renamed")
        try await server.make("drafts", in: "/folder")
        try await server.put("draft", as: "draft", in: "/folder/drafts")
        try await server.delete("/folder")
        // Nothing that tidies up takes it for a leftover, however long the server is away.
        passed.withLock { $0 += 60 * 86_400 }
        try await server.core.vacuum()
        #expect(try await server.known().isEmpty)
    }

    private func expectAllBack(on server: Server) async throws {
        let edits = ["/folder/report": "edited", "/folder/renamed": "written", "/folder/drafts/draft": "draft"]
        for (path, text) in edits {
            #expect(try await server.copied(ItemPath(validating: path)) == text)
        }
        server.connection.fail(with: nil)
        await server.core.reconnect()
        try await server.expectConverged()
        for (path, text) in edits {
            #expect(try await server.text(ItemPath(validating: path)) == text)
        }
        try await server.core.followPolicies()
        try await server.core.settle()
        #expect(try await server.copied("/folder/inner/pinned") == "old")
        #expect(try server.recovered().isEmpty)
    }

    @Test(arguments: [true, false])
    func `a removal that is called off brings back edits, drafts and copies`(hasFileIDs: Bool) async throws {
        let server = try server(hasFileIDs: hasFileIDs)
        try await removed(on: server)
        let removal = try #require(try await server.core.syncRecords().first { $0.kind == .delete })
        try await server.core.cancel(removal.id)
        try await expectAllBack(on: server)
    }

    @Test(arguments: [true, false])
    func `an answer against the removal brings back edits, drafts and copies`(hasFileIDs: Bool) async throws {
        let server = try server(hasFileIDs: hasFileIDs)
        try await removed(on: server)
        try await server.write("/folder/unseen", "new")
        server.connection.fail(with: nil)
        await server.core.reconnect()
        try await server.core.settle()
        server.connection.fail(with: offline)
        try await server.answer(.changedBeforeDeletion, .cancel)
        try await expectAllBack(on: server)
        #expect(try await server.known().contains("/folder/unseen"))
    }

    @Test(arguments: [true, false])
    func `what is put into a directory that was removed unseen is not removed with it`(isNew: Bool) async throws {
        let server = try server()
        try await server.folder("/folder/unseen")
        try await server.write("/folder/unseen/file", "known to others")
        try await server.core.discovery.refresh(server.id(.root))
        try await server.core.discovery.refresh(server.id("/folder"))
        server.connection.fail(with: offline)
        try await server.delete("/folder/unseen")
        if isNew {
            try await server.write("/folder/unseen/late", "late")
            let time = FileTime(Date()).later(bySeconds: 10)
            try await server.provider.setAttributes(
                ItemAttributes(modificationTime: time), of: "/folder/unseen/late")
        }
        server.connection.fail(with: nil)
        await server.core.reconnect()
        try await server.core.settle()
        #expect(try await server.core.issues().map(\.id.kind) == (isNew ? [.changedBeforeDeletion] : []))
        #expect(try await server.walked().contains("/folder/unseen/file") == isNew)
    }

    @Test func `a removal that comes about leaves nothing behind`() async throws {
        let server = try server()
        try await removed(on: server)
        server.connection.fail(with: nil)
        await server.core.reconnect()
        try await server.expectConverged()
        #expect(try await server.walked().isEmpty)
        #expect(try server.recovered().isEmpty)
        let copies = server.core.vault.folder.appending("copies")
        #expect(try copies.entryNames().isEmpty)
    }
}
