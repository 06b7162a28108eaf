import FileProviderTesting
import FileProviding
import Foundation
import Testing
import WebDAVFiles

/// Replies to GET that no server of the suite gives.
@Suite struct ContentsReplyTests {
    /// A folder there is another server's matter.
    @Test func aRedirectionToAnotherServersFolderIsAFile() async throws {
        let storage = try ScriptedResponder { _ in .reply(200, body: "bytes") }
        defer { storage.stop() }
        let place = "http://localhost:\(storage.url.port ?? 0)/blob/7/"
        let server = try ScriptedResponder { _ in .reply(302, headers: [("Location", place)]) }
        defer { server.stop() }
        let provider = try WebDAVFileProvider(configuration: WebDAVConfiguration(url: server.url), credential: nil)
        #expect(try await provider.read(path: "f").collect() == Data("bytes".utf8))
    }
}
