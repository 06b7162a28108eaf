import CloudCore
import FileProviders
import Foundation
import ProviderAdapter
import TestSupport
import Testing

@Suite struct IndexedQueryTests {
    private static let clouds = ["OWNCLOUD", "NEXTCLOUD", "OPENCLOUD"].compactMap { TestServer($0) }

    @Test(.enabled(if: !clouds.isEmpty), arguments: clouds)
    func `a query finds by the server's index what no scan has seen, in few requests`(server: TestServer) async throws {
        let provider = try WebDAVFileProvider(
            configuration: WebDAVConfiguration(url: server.url), credential: TestServer.credential)
        let directory = try ItemPath(validating: "/index-\(UUID())")
        for name in ["a/b/c", "d/e/f", "g/h/i"] {
            try await provider.createDirectory(path: ItemPath(validating: "\(directory)/\(name)"), createsParents: true)
        }
        let tag = "needle\(UInt32.random(in: 0 ... .max))"
        let path = try ItemPath(validating: "\(directory)/a/b/c/\(tag).txt")
        try await provider.writeContents(path: path, contents: Data("12345".utf8))
        let tree = try LocalTree()
        let core = Core(
            vault: try Vault(of: Bookmark(name: "Cloud", url: server.url), in: LocalPath(tree.url.path)),
            connection: ProviderAdapter(provider, root: directory))
        let query = Query(.custom, where: .name.contains(tag) && .fileSize == 5)
        let before = provider.session.requestCount
        core.start(query)
        for await news in query where news.state == .idle { break }
        #expect(query.queryResults.map(\.path) == [try ItemPath(validating: "/a/b/c/\(tag).txt")])
        #expect(provider.session.requestCount - before <= 12, "what is not above it is not listed")

        // What goes is found by scans, as ever.
        try await provider.removeItem(path: path)
        while try await !core.scan(budget: 100).isComplete {}
        #expect(query.queryResults.isEmpty)
        try await core.close()
        try await provider.removeItem(path: directory)
    }
}
