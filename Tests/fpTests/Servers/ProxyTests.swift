import FileProviderTesting
import Foundation
import TestSupport
import Testing

/// `fp` behind a proxy: a responder that answers for the servers that nobody else reaches.
@Suite struct ProxyTests {
    private let proxy: ScriptedResponder
    private let work: Workspace

    init() throws {
        proxy = try ScriptedResponder { request in
            request.method == "GET" ? .reply(200, body: "by proxy") : .reply(404)
        }
        let address = proxy.url.absoluteString.replacing("//", with: "//anna:secret@")
        work = try Workspace(environment: ["http_proxy": address, "no_proxy": "near.invalid"])
    }

    @Test func readsThroughIt() throws {
        defer { proxy.stop() }
        #expect(try work.fp("cat", "dav://files.invalid/a").text == "by proxy")
        let seen = try #require(proxy.requests.last)
        #expect(seen.target == "http://files.invalid/a")
        #expect(seen["Proxy-Authorization"] == "Basic YW5uYTpzZWNyZXQ=")
    }

    @Test func passesItByWhereItIsTold() throws {
        defer { proxy.stop() }
        #expect(try work.fp("cat", "dav://near.invalid/a").status == 2)
        #expect(try work.fp("cat", "dav://127.0.0.1:9/a").errors.contains("check that the server runs"))
        #expect(proxy.requests.isEmpty)
    }

    @Test func isNotSavedWithARemote() throws {
        defer { proxy.stop() }
        #expect(try work.fp("remote", "add", "cloud", "dav://files.invalid/").status == 0)
        let saved = try String(contentsOf: work.folder.appending(path: ".config/fp/remotes.json"), encoding: .utf8)
        #expect(saved.contains("files.invalid") && !saved.contains("127.0.0.1") && !saved.contains("secret"))
        #expect(try work.fp("cat", "cloud:a").text == "by proxy")
    }

    @Test func whatIsWrongWithItIsSaid() throws {
        proxy.stop()
        #expect(try work.fp("ls", "dav://files.invalid/").errors.contains("the proxy: Connection refused"))
        let refusing = try ScriptedResponder { _ in .reply(407) }
        defer { refusing.stop() }
        work.program.environment["http_proxy"] = refusing.url.absoluteString
        #expect(try work.fp("ls", "dav://files.invalid/").errors.contains("407 Proxy Authentication Required"))
    }

    @Test func somethingElseIsNamed() throws {
        defer { proxy.stop() }
        work.program.environment["http_proxy"] = "ftp://proxy.invalid"
        let outcome = try work.fp("ls", "dav://files.invalid/")
        #expect(outcome.status == 2)
        #expect(outcome.errors.contains("http_proxy: not the URL of a proxy"))
    }
}
