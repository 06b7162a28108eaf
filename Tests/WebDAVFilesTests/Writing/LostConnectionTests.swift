import FileProviderTesting
import FileProviding
import Foundation
import Testing
import WebDAVFiles

@Suite struct LostConnectionTests {
    @Test func aBodyWhoseConnectionWasLostGoesUnderAnotherName() async throws {
        // No real server can be made to begin with a lost request only when the next one is done.
        let server = try ScriptedResponder { request in
            switch request.method {
            case "OPTIONS":
                .reply(200, headers: [("Server", "WsgiDAV/4.3"), ("DAV", "1,2"), ("Allow", "PUT, MOVE, PROPFIND")])
            case "PUT" where request.index < 3: ScriptedResponder.Script([.reset])
            case "PUT", "MOVE": .reply(201)
            case "DELETE": .reply(204)
            case "PROPFIND": .reply(404)
            default: .reply(400)
            }
        }
        defer { server.stop() }
        var configuration = WebDAVConfiguration(url: server.url)
        configuration.http.retry.firstPause = 0
        let provider = try WebDAVFileProvider(configuration: configuration, credential: nil)
        _ = try? await provider.writeContents(path: "f", contents: Data("bytes".utf8))
        let puts = server.requests.filter { $0.method == "PUT" }.map(\.target)
        #expect(puts.count > 1)
        #expect(Set(puts).count == puts.count)
        #expect(server.requests.filter { $0.method == "MOVE" }.map(\.target) == [try #require(puts.last)])
    }
}
