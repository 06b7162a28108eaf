import FileProviding
import Foundation
import TestSupport
import Testing
import WebDAVFiles

/// A server whose WebDAV is in a folder, seen from its root, as one that is opened by a URL.
@Suite(.enabled(if: TestServer("APACHE") != nil, "needs Scripts/test-servers")) struct ReachabilityTests {
    private let server: TestServer
    private let provider: WebDAVFileProvider

    init() throws {
        server = try #require(TestServer("APACHE"))
        let root = try #require(URL(string: "/", relativeTo: server.url)?.absoluteURL)
        provider = try WebDAVFileProvider(configuration: WebDAVConfiguration(url: root), credential: nil)
    }

    @Test func `a root that cannot be listed is an answer`() async throws {
        await #expect(throws: (any Error).self) { try await provider.contentsOfDirectory(path: .root) }
        #expect(await provider.isReachable())
    }

    @Test func `nobody who listens is none`() async throws {
        let nobody = try #require(URL(string: "http://127.0.0.1:1/"))
        let provider = try WebDAVFileProvider(configuration: WebDAVConfiguration(url: nobody), credential: nil)
        #expect(await !provider.isReachable())
    }

    @Test func `below a file there is nothing to read, list or remove`() async throws {
        let provider = try WebDAVFileProvider(configuration: WebDAVConfiguration(url: server.url), credential: nil)
        let file = try ItemPath(validating: "/file-\(UUID())")
        try await provider.writeContents(path: file, contents: Data("x".utf8))
        defer { Task { try? await provider.removeItem(path: file) } }
        let below = try file.appending("below")
        #expect(try await !provider.itemExists(path: below))
        for look in [
            { _ = try await provider.attributesOfItem(path: $0) }, { try await provider.removeItem(path: $0) },
        ]
            as [@Sendable (ItemPath) async throws -> Void]
        {
            await #expect { try await look(below) } throws: { $0.isNoSuchFile }
        }
    }
}
