import FileProviderTesting
import FileProviding
import Foundation
import HTTPFiles
import Testing

@Suite struct ResponseCacheTests {
    private func server(_ headers: [(String, String)] = [("ETag", "\"1\"")]) throws -> ScriptedResponder {
        try ScriptedResponder { request in
            if request["If-None-Match"] == "\"1\"" || request["If-Modified-Since"] != nil { return .reply(304) }
            return .reply(200, headers: headers, body: "number \(request.index)")
        }
    }

    private func ask(_ session: HTTPSession, _ url: URL, _ headers: HTTPHeaders = [:]) async throws -> String {
        let (response, body) = try await session.data(for: HTTPRequest(.get, url, headers: headers))
        #expect(response.status == 200)
        return String(decoding: body, as: UTF8.self)
    }

    @Test func isOffByDefault() async throws {
        let server = try server()
        defer { server.stop() }
        let session = HTTPSession.to(server)
        #expect(try await ask(session, server.url) == "number 0")
        #expect(try await ask(session, server.url) == "number 1")
    }

    @Test(arguments: [[("ETag", "\"1\"")], [("Last-Modified", "Sun, 06 Nov 1994 08:49:37 GMT")]])
    func validates(headers: [(String, String)]) async throws {
        let server = try server(headers)
        defer { server.stop() }
        let session = HTTPSession.to(server) { $0.cachePolicy = .validated }
        #expect(try await ask(session, server.url) == "number 0")
        #expect(try await ask(session, server.url) == "number 0")
        #expect(server.requests.count == 2)
    }

    @Test func servesUnvalidatedWithoutARequest() async throws {
        let server = try server()
        defer { server.stop() }
        let session = HTTPSession.to(server) { $0.cachePolicy = .unvalidated }
        #expect(try await ask(session, server.url) == "number 0")
        #expect(try await ask(session, server.url) == "number 0")
        #expect(try await ask(session, server.url, ["Range": "bytes=0-1"]) == "number 1")
        session.credential = .bearer(token: "someone else")
        #expect(try await ask(session, server.url) == "number 2")
    }

    /// Another account may share the cache (RFC 9111, section 3.5).
    @Test func aRequestsOwnAuthorizationKeepsItsReplyOut() async throws {
        let server = try server()
        defer { server.stop() }
        let session = HTTPSession.to(server) { $0.cachePolicy = .unvalidated }
        #expect(try await ask(session, server.url, ["Authorization": "Signature a"]) == "number 0")
        #expect(try await ask(session, server.url, ["Authorization": "Signature b"]) == "number 1")
    }

    @Test func streamsAreKeptOnceTheyHaveBeenRead() async throws {
        let server = try server([("ETag", "\"1\"")])
        defer { server.stop() }
        let session = HTTPSession.to(server) { $0.cachePolicy = .validated }
        let request = HTTPRequest(.get, server.url)
        // Not read, not kept.
        _ = try await session.stream(for: request)
        for _ in 0..<2 {
            let (response, stream) = try await session.stream(for: request)
            #expect(response.status == 200)
            #expect(try await stream.collect() == Data("number 1".utf8))
        }
        #expect(try await ask(session, server.url) == "number 1")
        #expect(server.requests.map { $0["If-None-Match"] } == [nil, nil, "\"1\"", "\"1\""])
    }

    @Test func isForgottenWhenSomethingIsChanged() async throws {
        let server = try server()
        defer { server.stop() }
        let session = HTTPSession.to(server) { $0.cachePolicy = .unvalidated }
        #expect(try await ask(session, server.url) == "number 0")
        _ = try await session.data(for: HTTPRequest(.put, server.url, body: .bytes(Data("new".utf8))))
        #expect(try await ask(session, server.url) == "number 2")
        var request = HTTPRequest(.get, server.url)
        request.mayComeFromCache = false
        #expect(try await session.data(for: request).1 == Data("number 3".utf8))
    }

    @Test func obeysTheServer() async throws {
        for headers in [[("Cache-Control", "private, No-Store")], [("Vary", "*")]] {
            let server = try server(headers)
            defer { server.stop() }
            let session = HTTPSession.to(server) { $0.cachePolicy = .unvalidated }
            #expect(try await ask(session, server.url) == "number 0")
            #expect(try await ask(session, server.url) == "number 1")
        }
        let varying = try server([("Vary", "Accept")])
        defer { varying.stop() }
        let session = HTTPSession.to(varying) { $0.cachePolicy = .unvalidated }
        #expect(try await ask(session, varying.url, ["Accept": "a"]) == "number 0")
        #expect(try await ask(session, varying.url, ["Accept": "b"]) == "number 1")
        #expect(try await ask(session, varying.url, ["Accept": "b"]) == "number 1")
    }

    @Test func staysWithinItsBounds() async throws {
        let server = try ScriptedResponder { .reply(200, data: Data(count: $0.target == "/large" ? 2000 : 400)) }
        defer { server.stop() }
        let cache = HTTPResponseCache(capacity: 1000, largestReply: 1000)
        var configuration = HTTPSessionConfiguration()
        configuration.cachePolicy = .unvalidated
        let session = HTTPSession(origin: server.url, configuration: configuration, cache: cache)
        for name in ["a", "b", "a", "c", "large", "a", "b"] {
            _ = try await session.data(for: HTTPRequest(.get, server.url.appending(path: name)))
        }
        #expect(cache.byteCount == 800)
        // The second "a" came from the cache; "b" was the least recently used when "c" came.
        #expect(server.requests.map(\.target) == ["/a", "/b", "/c", "/large", "/b"])
        cache.removeAll()
        #expect(cache.byteCount == 0)
    }

    @Test func sessionsWithOtherKeysShareNothing() async throws {
        let server = try ScriptedResponder { .reply(200, data: Data(($0["X-Api-Key"] ?? "none").utf8)) }
        defer { server.stop() }
        let cache = HTTPResponseCache()
        for key in ["mine", "theirs", "mine"] {
            var configuration = HTTPSessionConfiguration()
            configuration.cachePolicy = .unvalidated
            configuration.extraHeaders["X-Api-Key"] = key
            let session = HTTPSession(origin: server.url, configuration: configuration, cache: cache)
            let (_, body) = try await session.data(for: HTTPRequest(.get, server.url))
            #expect(String(decoding: body, as: UTF8.self) == key)
        }
        #expect(server.requests.count == 2)
    }

    @Test func whatWasBeingReadWhileItChangedIsNotKept() async throws {
        let text = Locked("old")
        let server = try ScriptedResponder { request in
            if request.method == "PUT" { text.withLock { $0 = "new" } }
            return .reply(200, data: Data(text.withLock { $0 }.utf8))
        }
        defer { server.stop() }
        var configuration = HTTPSessionConfiguration()
        configuration.cachePolicy = .unvalidated
        let session = HTTPSession(origin: server.url, configuration: configuration)
        let (_, body) = try await session.stream(for: HTTPRequest(.get, server.url))
        _ = try await session.data(for: HTTPRequest(.put, server.url, body: .bytes(Data("new".utf8))))
        #expect(try await body.collect() == Data("old".utf8))
        let (_, again) = try await session.data(for: HTTPRequest(.get, server.url))
        #expect(again == Data("new".utf8))
    }
}
