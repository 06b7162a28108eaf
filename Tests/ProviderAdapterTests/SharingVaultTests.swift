import CloudCore
import FileProviders
import Foundation
import ProviderAdapter
import TestSupport
import Testing

@Suite struct SharingVaultTests {
    private static let clouds = ["OWNCLOUD", "NEXTCLOUD", "OPENCLOUD"].compactMap { TestServer($0) }

    /// A vault over a new directory of the account's.
    private func withVault(over server: TestServer, _ body: (Core, WebDAVFileProvider, ItemPath) async throws -> Void)
        async throws
    {
        let provider = try WebDAVFileProvider(
            configuration: WebDAVConfiguration(url: server.url), credential: TestServer.credential)
        let directory = try ItemPath(validating: "/shares-\(UUID())")
        try await provider.createDirectory(path: directory)
        let tree = try LocalTree()
        let bookmark = try Bookmark(name: "Cloud", url: server.url)
        let core = Core(
            vault: try Vault(of: bookmark, in: LocalPath(tree.url.path)),
            connection: ProviderAdapter(provider, root: directory))
        do {
            try await body(core, provider, directory)
            try await provider.removeItem(path: directory)
        } catch {
            try? await provider.removeItem(path: directory)
            throw error
        }
    }

    @Test(.enabled(if: !clouds.isEmpty), arguments: clouds)
    func `items carry their shares, whoever makes, changes and ends them`(server: TestServer) async throws {
        try await withVault(over: server) { core, provider, directory in
            try await provider.writeContents(path: directory.appending("report.txt"), contents: Data("text".utf8))
            while try await !core.scan(budget: 100).isComplete {}
            let file = try #require(try await core.item(at: "/report.txt")).localID
            let query = Query(.location("/"))
            core.start(query)
            for await news in query where news.state == .idle { break }
            _ = query.changes()

            let draft = ShareDraft(receiver: Sharee(kind: .link), permissions: .read, password: "Secret-Passw0rd")
            let link = try await core.share(file, draft)
            #expect(link.path == "/report.txt" && link.hasPassword && link.url != nil)
            #expect(query.changes().updated.map(\.item.shares.byMe) == [[link]])

            let other = try #require(try await core.sharees(matching: "other", for: file).first)
            let share = try await core.share(file, ShareDraft(receiver: other, permissions: .read))
            let changed = try await core.updateShare(
                share, of: file, ShareDraft(receiver: other, permissions: [.read, .update]))
            #expect(changed.permissions == [.read, .update])
            #expect(try await core.item(file)?.shares.byMe == [link, changed])

            // Both are found at the item's new place, also by whoever has never heard of them.
            _ = try await core.submit(.move(file, to: .root, as: ItemName(validating: "moved.txt")))
            try await core.settle()
            #expect(try await core.item(file)?.shares.byMe.map(\.path) == ["/moved.txt", "/moved.txt"])
            try await core.refreshShares()
            #expect(Set(try await core.item(file)?.shares.byMe.map(\.id) ?? []) == [link.id, share.id])

            // Another client ends one, this one the other.
            let path = try directory.appending("moved.txt")
            for share in try await provider.shares(of: path) where share.id == link.id {
                try await provider.removeShare(share)
            }
            try await core.refreshShares()
            #expect(try await core.item(file)?.shares.byMe.map(\.id) == [share.id])
            try await core.removeShare(changed, of: file)
            try await core.removeShare(changed, of: file)
            #expect(try await core.item(file)?.shares.isEmpty == true)
            #expect(try await provider.shares(of: path).isEmpty)
            await core.stop(query)
            try await core.close()
        }
    }

    @Test(.enabled(if: !clouds.isEmpty), arguments: clouds)
    func `what is not on the server yet cannot be shared, and a refusal has the server's words`(
        server: TestServer
    ) async throws {
        try await withVault(over: server) { core, provider, directory in
            let name = try ItemName(validating: "new.txt")
            _ = try await core.submit(.upload(ByteStream(Data("new".utf8)), as: name, in: .root))
            let file = try #require(try await core.item(at: "/new.txt")).localID
            let nobody = ShareDraft(receiver: Sharee(kind: .user, id: "nobody-here"))
            let early = await #expect(throws: CocoaError.self) { try await core.share(file, nobody) }
            #expect(early?.code == .featureUnsupported)
            try await core.settle()
            let refused = await #expect(throws: (any Error).self) { try await core.share(file, nobody) }
            #expect((refused as? any FileProviderHTTPError)?.statusCode == 404)
            #expect(try await core.item(file)?.shares.isEmpty == true)

            // The form with a callback.
            let share = await withCheckedContinuation { continuation in
                core.share(file, ShareDraft(receiver: Sharee(kind: .user, id: "other"), permissions: .read)) {
                    share, _ in
                    continuation.resume(returning: share)
                }
            }
            #expect(try await core.item(file)?.shares.byMe == [#require(share)])
            try await core.close()
        }
    }

    @Test func `a storage without shares says so, and looks go on`() async throws {
        let tree = try LocalTree()
        let vault = try VaultOver(tree.provider())
        let error = await #expect(throws: CocoaError.self) { try await vault.core.refreshShares() }
        #expect(error?.code == .featureUnsupported)
    }
}
