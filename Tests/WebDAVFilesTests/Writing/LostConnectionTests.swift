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

    /// Sent again, it would be refused by its own success, and that would look like somebody else's change.
    @Test(arguments: [
        ("Apache", "<http://apache.org/dav/propset/fs/1>", "If"), ("nginx", "2", "If-Match"),
    ])
    func aConditionalWriteWhoseReplyWasLostIsNotRepeated(name: String, classes: String, condition: String) async throws
    {
        let server = try ScriptedResponder { request in
            switch request.method {
            case "OPTIONS":
                .reply(
                    200,
                    headers: [
                        ("Server", name), ("DAV", classes),
                        ("Allow", "GET,HEAD,PUT,DELETE,MKCOL,COPY,MOVE,PROPFIND,OPTIONS,LOCK,UNLOCK"),
                    ])
            case "PUT": request[condition] == nil ? .reply(500) : ScriptedResponder.Script([.reset])
            case "PROPFIND":
                .reply(
                    207,
                    body: """
                        <D:multistatus xmlns:D="DAV:"><D:response><D:href>/f</D:href><D:propstat><D:prop>
                        <D:resourcetype/><D:getetag>"1"</D:getetag></D:prop><D:status>HTTP/1.1 200 OK</D:status>
                        </D:propstat></D:response></D:multistatus>
                        """)
            default: .reply(400)
            }
        }
        defer { server.stop() }
        var configuration = WebDAVConfiguration(url: server.url)
        configuration.http.retry.firstPause = 0
        let provider = try WebDAVFileProvider(configuration: configuration, credential: nil)
        let version = FileVersion(etag: ETag(rawValue: "\"1\""))
        let error = await #expect(throws: URLError.self) {
            try await provider.write(
                path: "f", from: ByteStream(Data("new".utf8)),
                in: OperationContext(options: OperationOptions(overwrite: true, expecting: version)))
        }
        #expect(error?.code == .networkConnectionLost)
        #expect(server.requests.count { $0.method == "PUT" } == 1)
    }

    @Test func aServerThatSaysYesAndStoresNothingHasFailed() async throws {
        // Sabre does so when a process of PHP's remembers another kind of item under the directory's name.
        let server = try ScriptedResponder { request in
            switch request.method {
            case "OPTIONS":
                .reply(200, headers: [("DAV", "1, 3, extended-mkcol"), ("Allow", "PUT, MOVE, PROPFIND")])
            case "PUT": .reply(201)
            case "PROPFIND": .reply(404)
            default: .reply(400)
            }
        }
        defer { server.stop() }
        let provider = try WebDAVFileProvider(configuration: WebDAVConfiguration(url: server.url), credential: nil)
        // Not "no such file": that would say something of the file itself.
        let error = await #expect(throws: CocoaError.self) {
            try await provider.writeContents(path: "f", contents: Data("bytes".utf8))
        }
        #expect(error?.code == .fileWriteUnknown)
        #expect(!server.requests.contains { $0.method == "MOVE" })
    }
}
