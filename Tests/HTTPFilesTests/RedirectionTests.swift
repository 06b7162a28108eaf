import FileProviderTesting
import FileProviding
import Foundation
import HTTPFiles
import Testing

@Suite struct RedirectionTests {
    private func redirecting(_ status: Int, to location: String) throws -> ScriptedResponder {
        try ScriptedResponder { request in
            request.target == "/new"
                ? .reply(200, body: request.method) : .reply(status, headers: [("Location", location)])
        }
    }

    @Test(arguments: [
        (301, "GET", "GET"), (302, "PROPFIND", "PROPFIND"), (303, "PROPFIND", "GET"), (307, "PUT", "PUT"),
        (308, "MKCOL", "MKCOL"),
    ])
    func follows(status: Int, method: String, then: String) async throws {
        let server = try redirecting(status, to: "/new")
        defer { server.stop() }
        let request = HTTPRequest(HTTPMethod(rawValue: method), server.url, body: .bytes(Data("body".utf8)))
        let (response, body) = try await HTTPSession.to(server).data(for: request)
        #expect(response.status == 200)
        #expect(response.url == server.url.appending(path: "new"))
        #expect(String(decoding: body, as: UTF8.self) == then)
        #expect(server.requests.last?.body == (then == "GET" && status == 303 ? Data() : Data("body".utf8)))
    }

    @Test(arguments: [
        (301, "PUT"), (302, "DELETE"), (301, "MOVE"), (303, "PUT"), (303, "MKCOL"), (303, "POST"), (300, "GET"),
        (304, "GET"),
    ])
    func surfaces(status: Int, method: String) async throws {
        let server = try redirecting(status, to: "/new")
        defer { server.stop() }
        let (response, _) = try await HTTPSession.to(server).data(
            for: HTTPRequest(HTTPMethod(rawValue: method), server.url))
        #expect(response.status == status)
        #expect(response.headers["Location"] == "/new")
        #expect(server.requests.count == 1)
    }

    /// Behind a proxy that does not say how it is reached.
    @Test(arguments: ["http://backend.invalid:8080/d%C3%A9/", "https://127.0.0.1/d%c3%a9/"])
    func theSlashOfAFolderIsTakenOver(location: String) async throws {
        let server = try ScriptedResponder { request in
            request.target == "/d%C3%A9" ? .reply(301, headers: [("Location", location)]) : .reply(207, body: "it")
        }
        defer { server.stop() }
        let url = try #require(URL(string: server.url.absoluteString + "d%C3%A9"))
        let (response, _) = try await HTTPSession.to(server).data(for: HTTPRequest(.propfind, url))
        #expect(response.status == 207 && server.requests.map(\.target) == ["/d%C3%A9", "/d%C3%A9/"])
    }

    @Test func circleAndDepthEnd() async throws {
        let circle = try ScriptedResponder { .reply(302, headers: [("Location", $0.target == "/a" ? "/b" : "/a")]) }
        defer { circle.stop() }
        let session = HTTPSession.to(circle)
        #expect(
            try await urlErrorCode { _ = try await session.data(for: HTTPRequest(.get, circle.url)) }
                == .httpTooManyRedirects)
        #expect(circle.requests.count == 3)
        let endless = try ScriptedResponder { .reply(302, headers: [("Location", "/\($0.index)")]) }
        defer { endless.stop() }
        let other = HTTPSession.to(endless)
        #expect(
            try await urlErrorCode { _ = try await other.data(for: HTTPRequest(.get, endless.url)) }
                == .httpTooManyRedirects)
        #expect(endless.requests.count == 6)
    }

    @Test func nothingSecretGoesToAnotherOrigin() async throws {
        let other = try ScriptedResponder { _ in .reply(200, body: "other") }
        defer { other.stop() }
        let target = other.url.absoluteString
        let server = try ScriptedResponder { _ in .reply(307, headers: [("Location", target)]) }
        defer { server.stop() }
        let session = HTTPSession.to(server, credential: .password(user: "u", password: "p")) {
            $0.extraHeaders = ["X-API-Key": "key"]
        }
        var request = HTTPRequest(
            .put, server.url,
            headers: [
                "Cookie": "a=b", "X-Plain": "1", "Private-Token": "key", "Content-Type": "a/b", "If-None-Match": "*",
                "Depth": "0",
            ], body: .bytes(Data("x".utf8)))
        _ = try await session.data(for: request)
        request.headers["Authorization"] = "Bearer own"
        _ = try await session.data(for: request)
        for seen in server.requests {
            #expect(seen["Authorization"] != nil)
            #expect(seen["X-API-Key"] == "key")
            #expect(seen["Cookie"] == "a=b")
            #expect(seen["Private-Token"] == "key")
        }
        #expect(other.requests.count == 2)
        for seen in other.requests {
            #expect(seen["Authorization"] == nil)
            #expect(seen["X-API-Key"] == nil)
            #expect(seen["Cookie"] == nil)
            #expect(seen["X-Plain"] == nil)
            #expect(seen["Private-Token"] == nil)
            #expect(seen["Content-Type"] == "a/b")
            #expect(seen["If-None-Match"] == "*")
            #expect(seen["Depth"] == "0")
        }
    }

    @Test func anotherOriginDoesNotGetToSpendTheCredential() async throws {
        let home = Log<String>()
        let other = try ScriptedResponder { _ in .reply(302, headers: [("Location", home.values[0] + "spend")]) }
        defer { other.stop() }
        let target = other.url.absoluteString
        let server = try ScriptedResponder {
            $0.target == "/spend" ? .reply(200) : .reply(302, headers: [("Location", target)])
        }
        defer { server.stop() }
        home.add(server.url.absoluteString)
        let session = HTTPSession.to(server, credential: .bearer(token: "t"))
        _ = try await session.data(for: HTTPRequest(.get, server.url))
        #expect(server.requests.map { $0["Authorization"] } == ["Bearer t", nil])
    }

    @Test(arguments: ["ftp://127.0.0.1/", "http://u:p@127.0.0.1/", "file:///etc/passwd", "http://"])
    func unusableTarget(location: String) async throws {
        let server = try ScriptedResponder { _ in .reply(302, headers: [("Location", location)]) }
        defer { server.stop() }
        let session = HTTPSession.to(server)
        let code = try await urlErrorCode { _ = try await session.data(for: HTTPRequest(.get, server.url)) }
        #expect(code == .redirectToNonExistentLocation)
    }

    @Test func canBeSwitchedOff() async throws {
        let server = try redirecting(302, to: "/new")
        defer { server.stop() }
        let session = HTTPSession.to(server) { $0.followsRedirects = false }
        #expect(try await session.data(for: HTTPRequest(.get, server.url)).0.status == 302)
    }
}
