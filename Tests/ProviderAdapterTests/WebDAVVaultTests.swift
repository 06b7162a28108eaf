import CloudCore
import FileProviders
import Foundation
import ProviderAdapter
import TestSupport
import Testing

@Suite struct WebDAVVaultTests {
    private static let servers = ["APACHE", "SABRE"].compactMap { TestServer($0) }

    @Test(.enabled(if: !servers.isEmpty), arguments: servers)
    func `a vault over a WebDAV server is as a fresh walk after every change`(server: TestServer) async throws {
        try await withFolder(on: server) { provider in
            try await follow(provider)
            try await loseEverything(provider)
        }
    }

    /// Servers differ in how they refuse it.
    @Test(.enabled(if: !servers.isEmpty), arguments: servers + ["NGINX"].compactMap { TestServer($0) })
    func `a new file is not offered to take the place of a folder`(server: TestServer) async throws {
        try await withFolder(on: server) { provider in
            let vault = try VaultOver(provider)
            try await vault.scanAll()
            let file = Command.upload(ByteStream(Data("x".utf8)), as: try ItemName(validating: "clash"), in: .root)
            _ = try await vault.core.submit(file)
            try await provider.createDirectory(path: "/clash/inside", createsParents: true)
            try await vault.core.settle()
            let issue = try #require(try await vault.core.issues().first)
            #expect(issue.id.kind == .nameTaken)
            #expect(issue.choices.map(\.answer) == [.keepBoth, .cancel])
        }
    }

    private func withFolder(
        on server: TestServer, _ work: (WebDAVFileProvider) async throws -> Void
    ) async throws {
        let parent = try Self.provider(of: server.url)
        let folder = try ItemName(validating: "vault \(UUID())")
        try await parent.create(folder: folder, at: .root)
        do {
            try await work(Self.provider(of: parent.url(of: ItemPath.root.appending(folder).asDirectory)))
            try await parent.removeItem(path: ItemPath.root.appending(folder))
        } catch {
            try? await parent.removeItem(path: ItemPath.root.appending(folder))
            throw error
        }
    }

    private func follow(_ provider: WebDAVFileProvider) async throws {
        let vault = try VaultOver(provider)
        try await provider.createDirectory(path: "/Fotos & 100%/é/tiefer", createsParents: true)
        for number in 0..<20 {
            try await provider.writeContents(
                path: ItemPath(validating: "/Fotos & 100%/é/Bild \(number).jpg"), contents: Data("\(number)".utf8))
        }
        try await vault.scanAll()
        #expect(try await vault.isAsWalked())

        let query = Query(.location("/Fotos & 100%/é"))
        vault.core.start(query)
        for await notification in query where notification.state == .idle { break }
        var rows: [Item] = []
        query.changes().apply(to: &rows)
        #expect(rows.count == 21)

        // Another client's changes, each found by a scan.
        try await provider.removeItem(path: "/Fotos & 100%/é/Bild 7.jpg")
        try await provider.writeContents(
            path: "/Fotos & 100%/é/Bild 8.jpg", contents: Data("longer now".utf8), overwrite: true)
        try await provider.moveItem(path: "/Fotos & 100%/é/tiefer", to: "/oben")
        try await vault.scanAll()
        #expect(try await vault.isAsWalked())
        let changes = query.changes()
        #expect(changes.removed.count == 2)
        // No other, although mod_dav strengthens the tags of fresh files from one scan to the next.
        #expect(changes.updated.map(\.item.name) + changes.inserted.map(\.item.name) == ["Bild 8.jpg"])
        changes.apply(to: &rows)
        #expect(rows == query.queryResults)
        #expect(try await vault.core.item(at: "/Fotos & 100%/é")?.childrenCount == 19)
        await vault.core.stop(query)
    }

    private func loseEverything(_ provider: WebDAVFileProvider) async throws {
        let vault = try VaultOver(provider)
        try await vault.scanAll()
        let before = try await vault.core.summary().items
        #expect(before > 10)
        for file in try await provider.contentsOfDirectory(path: .root) {
            try await provider.removeItem(path: file.path)
        }
        try await vault.scanAll()
        #expect(try await vault.core.issues().map(\.id.kind) == [.itemsVanished])
        #expect(try await vault.core.summary().items == before)
        try await vault.core.resolve(CloudCore.Issue.ID(.itemsVanished), with: .takeServer)
        #expect(try await vault.core.summary().items == 0)
    }

    private static func provider(of url: URL) throws -> WebDAVFileProvider {
        try WebDAVFileProvider(configuration: WebDAVConfiguration(url: url), credential: nil)
    }
}
