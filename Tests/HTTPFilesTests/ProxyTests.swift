import FileProviderTesting
import FileProviding
import Foundation
import HTTPFiles
import Testing

@Suite struct ProxyTests {
    private func session(_ proxy: ScriptedResponder, _ exceptions: [String] = []) -> HTTPSession {
        var configuration = HTTPSessionConfiguration()
        configuration.proxy = proxy.url
        configuration.proxyExceptions = exceptions
        configuration.retry = .never
        return HTTPSession(
            origin: URL(string: "http://files.example/"), configuration: configuration,
            credential: .password(user: "me", password: "x"), proxyCredential: .password(user: "u", password: "p"))
    }

    @Test func plainRequestGoesThroughTheProxy() async throws {
        let proxy = try ScriptedResponder { request in
            request["Authorization"] == nil
                ? .reply(401, headers: [("WWW-Authenticate", "Basic realm=\"x\"")]) : .reply(200, body: "by proxy")
        }
        defer { proxy.stop() }
        let url = try #require(URL(string: "http://files.example/a%20b"))
        #expect(try await session(proxy).data(for: HTTPRequest(.get, url)).1 == Data("by proxy".utf8))
        let seen = try #require(proxy.requests.last)
        #expect(seen.target == "http://files.example/a%20b")
        #expect(seen["Proxy-Authorization"] == "Basic dTpw")
        #expect(seen["Authorization"] == "Basic bWU6eA==")
    }

    @Test func refusingProxyIsNamed() async throws {
        let proxy = try ScriptedResponder { _ in .reply(407) }
        defer { proxy.stop() }
        let url = try #require(URL(string: "https://files.example/"))
        let session = session(proxy)
        let error = try await #require(throws: URLError.self) {
            _ = try await session.data(for: HTTPRequest(.get, url))
        }
        #expect(error.code == .cannotConnectToHost)
        #expect(error.localizedDescription.contains("proxy"))
        let seen = try #require(proxy.requests.first)
        #expect(seen.method == "CONNECT")
        #expect(seen["Authorization"] == nil)
    }

    @Test func whatCannotBeSentTwiceMeetsNoEndOfAConnection() async throws {
        let proxy = try ScriptedResponder { _ in .reply(204) }
        defer { proxy.stop() }
        let url = try #require(URL(string: "http://files.example/a"))
        let session = session(proxy)
        var removal = HTTPRequest(.delete, url)
        removal.isSafeToRepeat = false
        for request in [HTTPRequest(.get, url), removal, removal, HTTPRequest(.get, url)] {
            _ = try await session.data(for: request)
        }
        #expect(proxy.requests.map(\.connection).prefix(3) == [0, 1, 2])
        #expect(proxy.connectionCount == 3)
    }

    @Test func exceptionGoesStraight() async throws {
        let proxy = try ScriptedResponder { _ in .reply(502) }
        let server = try ScriptedResponder { _ in .reply(200) }
        defer { proxy.stop(); server.stop() }
        #expect(try await session(proxy, ["127.0.0.1"]).data(for: HTTPRequest(.get, server.url)).0.status == 200)
        #expect(server.requests.first?["Proxy-Authorization"] == nil)
    }
}
