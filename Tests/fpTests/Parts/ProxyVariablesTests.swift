import Foundation
import Testing

@testable import fp

@Suite struct ProxyVariablesTests {
    private func route(_ variables: [String: String], to server: String) throws -> ProxyVariables.Route? {
        try ProxyVariables(Environment(variables: variables)).route(to: #require(URL(string: server)))
    }

    @Test(
        arguments: [
            (["https_proxy": "http://p:1"], "https://a.example/", "http://p:1"),
            (["HTTPS_PROXY": "p:1"], "https://a.example/", "http://p:1"),
            (["http_proxy": "http://u:w@p:1/"], "http://a.example/", "http://u:w@p:1/"),
            (["HTTP_PROXY": "http://p:1"], "http://a.example/", nil),
            (["http_proxy": "http://p:1"], "https://a.example/", nil),
            (["http_proxy": "", "all_proxy": "socks5h://p:1"], "http://a.example/", "socks5h://p:1"),
            (["https_proxy": "http://p:1", "ALL_PROXY": "http://q:1"], "https://a.example/", "http://p:1"),
            (["all_proxy": "http://p:1"], "sftp://a.example/", nil),
            ([:], "http://a.example/", nil),
        ] as [([String: String], String, String?)])
    func proxy(variables: [String: String], server: String, expected: String?) throws {
        #expect(try route(variables, to: server)?.proxy.absoluteString == expected)
    }

    @Test func exceptions() throws {
        let variables = ["all_proxy": "p:1", "no_proxy": "a.example, .b.example c.example"]
        let route = try #require(try route(variables, to: "http://x.example/"))
        #expect(route.exceptions == ["a.example", ".b.example", "c.example", "localhost", "127.0.0.0/8", "::1"])
    }

    @Test(arguments: ["ftp://p:1", "http://", "p p", "://"])
    func somethingElseIsRefused(value: String) throws {
        #expect(throws: Refusal.self) { try route(["https_proxy": value], to: "https://a.example/") }
    }
}
