import CloudCore
import FileProviders
import Foundation
import ProviderAdapter
import TestSupport
import Testing

/// What a server tells beside its items: whom it takes one for, what it can do, which other trees there are.
@Suite struct AccountVaultTests {
    private static let clouds = ["OWNCLOUD", "NEXTCLOUD", "OPENCLOUD"].compactMap { TestServer($0) }

    private let tree: LocalTree
    private let folder: LocalPath

    init() throws {
        tree = try LocalTree()
        folder = LocalPath(tree.url.path)
    }

    private func core(_ bookmark: Bookmark, over provider: any FileProviderBasic) throws -> Core {
        Core(vault: try Vault(of: bookmark, in: folder), connection: ProviderAdapter(provider))
    }

    private func provider(at url: URL) throws -> WebDAVFileProvider {
        try WebDAVFileProvider(configuration: WebDAVConfiguration(url: url), credential: TestServer.credential)
    }

    @Test(.enabled(if: !clouds.isEmpty), arguments: clouds)
    func `a cloud's account and abilities are told, also when it is away after a relaunch`(
        server: TestServer
    ) async throws {
        let bookmark = try Bookmark(name: "Cloud", url: server.url)
        let first = try core(bookmark, over: provider(at: server.url))
        let account = try await first.account()
        #expect(account == StorageAccount(id: "tester", displayName: "Tester", emailAddress: "tester@example.org"))
        let abilities = try await first.capabilities()
        #expect(abilities.isSuperset(of: [.list, .operations, .sharing, .trash, .versions, .thumbnails, .searchIndex]))
        #expect(!abilities.contains(.symlinks))
        try await first.close()

        var parts = try #require(URLComponents(url: server.url, resolvingAgainstBaseURL: true))
        parts.port = 1
        let second = try core(bookmark, over: provider(at: try #require(parts.url)))
        #expect(try await second.account() == account)
        #expect(try await second.capabilities() == abilities)
        try await second.close()

        let other = try core(Bookmark(name: "Never", url: server.url), over: provider(at: try #require(parts.url)))
        await #expect(throws: URLError.self) { try await other.account() }
        try await other.close()
    }

    @Test(.enabled(if: TestServer("OPENCLOUD") != nil))
    func `another space is for a vault of its own`() async throws {
        let server = try #require(TestServer("OPENCLOUD"))
        let bookmark = try Bookmark(
            name: "Home", url: server.url, authenticationMethod: "basic", pinnedCertificates: ["a.example": ["ab"]])
        let core = try core(bookmark, over: provider(at: server.url))
        #expect(try await core.capabilities().isSuperset(of: [.spaces, .monitor]))
        let spaces = try await core.spaces()
        let space = try #require(spaces.first { $0.kind == "personal" })
        let own = try bookmark.bookmark(of: space)
        #expect(own.id != bookmark.id && own.name == space.name && own.url == space.url)
        #expect(own.authenticationMethod == "basic" && own.pinnedCertificates == bookmark.pinnedCertificates)
        let name = "space-\(UUID()).txt"
        let home = try provider(at: server.url)
        try await home.writeContents(path: ItemPath(validating: name), contents: Data("text".utf8))
        let there = try self.core(own, over: provider(at: own.url))
        try await there.scan(budget: 1)
        #expect(try await there.item(at: ItemPath(validating: name))?.size == 4)
        try await home.removeItem(path: ItemPath(validating: name))
        try await there.close()
        try await core.close()
        #expect(throws: CocoaError.self) {
            try bookmark.bookmark(of: StorageSpace(id: "x", name: "Nowhere", kind: "project"))
        }
    }

    @Test(.enabled(if: TestServer("NEXTCLOUD") != nil))
    func `a cloud without spaces, plain WebDAV and a folder say what they lack`() async throws {
        let cloud = try #require(TestServer("NEXTCLOUD"))
        let core = try core(Bookmark(name: "Cloud", url: cloud.url), over: provider(at: cloud.url))
        #expect(try await !core.capabilities().contains(.spaces))
        await #expect { try await core.spaces() } throws: { $0.isUnsupported }
        try await core.close()

        let server = try #require(TestServer("APACHE"))
        let local = LocalPath(tree.url.path)
        for provider: any FileProviderBasic in [try provider(at: server.url), try LocalFileProvider(root: local)] {
            let core = try self.core(Bookmark(name: "Plain", url: server.url), over: provider)
            let abilities = try await core.capabilities()
            #expect(abilities.isSuperset(of: [.list, .read, .write, .operations]))
            #expect(abilities.isDisjoint(with: [.accounts, .sharing, .spaces, .searchIndex]))
            await #expect { try await core.account() } throws: { $0.isUnsupported }
            await #expect { try await core.spaces() } throws: { $0.isUnsupported }
            try await core.close()
        }
    }
}
