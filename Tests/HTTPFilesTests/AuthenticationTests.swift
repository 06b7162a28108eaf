import FileProviderTesting
import FileProviding
import Foundation
import HTTPFiles
import Testing

@Suite struct AuthenticationTests {
    private let now = Date(timeIntervalSince1970: 1_800_000_000)

    /// Accepts one bearer token; gives out the next at `/token`.
    private func tokenServer(
        accepting: String, granting script: @escaping @Sendable (ScriptedRequest) -> ScriptedResponder.Script
    ) throws -> ScriptedResponder {
        try ScriptedResponder { request in
            if request.target == "/token" { return script(request) }
            return request["Authorization"] == "Bearer \(accepting)" ? .reply(200, body: "in") : .reply(401)
        }
    }

    private func token(_ server: ScriptedResponder, _ access: String, expiry: Date? = nil) -> Credential {
        .oauth2(
            OAuth2Token(
                accessToken: access, refreshToken: "r1", expiry: expiry,
                tokenEndpoint: server.url.appending(path: "token"), clientID: "app"))
    }

    private let grant = ScriptedResponder.Script.reply(
        200, body: #"{"access_token":"new","refresh_token":"r2","expires_in":300,"token_type":"Bearer"}"#)

    @Test func basicGoesAtOnceAndOnlyToTheOrigin() async throws {
        let server = try ScriptedResponder { _ in .reply(200) }
        let other = try ScriptedResponder { _ in .reply(200) }
        defer { server.stop(); other.stop() }
        let session = HTTPSession.to(server, credential: .password(user: "Aladdin", password: "open sesame"))
        _ = try await session.data(for: HTTPRequest(.get, server.url))
        _ = try await session.data(for: HTTPRequest(.get, other.url))
        var bare = HTTPRequest(.get, server.url)
        bare.sendsCredential = false
        _ = try await session.data(for: bare)
        #expect(server.requests.map { $0["Authorization"] } == ["Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ==", nil])
        #expect(other.requests.map { $0["Authorization"] } == [nil])
    }

    @Test func refusedPasswordIsAReply() async throws {
        let server = try ScriptedResponder { _ in
            .reply(401, headers: [("WWW-Authenticate", #"Basic realm="x""#)], body: "who?")
        }
        defer { server.stop() }
        let session = HTTPSession.to(server, credential: .password(user: "u", password: "p"))
        let (response, body) = try await session.data(for: HTTPRequest(.get, server.url))
        #expect(response.status == 401)
        #expect(body == Data("who?".utf8))
        #expect(session.requestCount == 1)
    }

    @Test func digestIsAnsweredAndRemembered() async throws {
        let challenge = ("WWW-Authenticate", #"Digest realm="r", nonce="n", qop="auth""#)
        let server = try ScriptedResponder { request in
            request["Authorization"]?.hasPrefix("Digest ") == true
                ? .reply(200, data: request.body) : .reply(401, headers: [challenge], body: "no")
        }
        defer { server.stop() }
        let session = HTTPSession.to(server, credential: .password(user: "u", password: "p"))
        let upload = Data("payload".utf8)
        for _ in 0..<3 {
            let (response, body) = try await session.data(for: HTTPRequest(.put, server.url, body: .bytes(upload)))
            #expect(response.status == 200)
            #expect(body == upload)
        }
        // Basic, the answer to its challenge; then one request each.
        #expect(server.requests.count == 4)
        #expect(session.requestCount == 4)
        #expect(server.requests.dropFirst().allSatisfy { $0["Authorization"]?.hasPrefix("Basic") != true })
    }

    /// As after a restart of a server that does not say `stale`.
    @Test func aNewDigestChallengeIsAnswered() async throws {
        let nonce = Locked("first")
        let server = try ScriptedResponder { request in
            let current = nonce.withLock { $0 }
            return request["Authorization"]?.contains("nonce=\"\(current)\"") == true
                ? .reply(200)
                : .reply(
                    401, headers: [("WWW-Authenticate", "Digest realm=\"r\", nonce=\"\(current)\", qop=\"auth\"")])
        }
        defer { server.stop() }
        let session = HTTPSession.to(server, credential: .password(user: "u", password: "p"))
        for _ in 0..<2 { #expect(try await session.data(for: HTTPRequest(.get, server.url)).0.status == 200) }
        nonce.withLock { $0 = "second" }
        #expect(try await session.data(for: HTTPRequest(.get, server.url)).0.status == 200)
        // Basic, no answer yet, and one; one; the former answer and the new one.
        #expect(server.requests.count == 6)
    }

    /// Each refusal counts for a server that locks accounts.
    @Test func aDigestPasswordThatIsWrongByNowIsNotTriedTwiceEachTime() async throws {
        let isRight = Locked(true)
        let server = try ScriptedResponder { request in
            request["Authorization"]?.hasPrefix("Digest ") == true && isRight.withLock { $0 }
                ? .reply(200)
                : .reply(401, headers: [("WWW-Authenticate", #"Digest realm="r", nonce="n", qop="auth""#)])
        }
        defer { server.stop() }
        let session = HTTPSession.to(server, credential: .password(user: "u", password: "p"))
        func answers() async throws -> Int {
            let before = server.requests.count { $0["Authorization"]?.hasPrefix("Digest ") == true }
            _ = try await session.data(for: HTTPRequest(.get, server.url))
            return server.requests.count { $0["Authorization"]?.hasPrefix("Digest ") == true } - before
        }
        #expect(try await answers() == 1)
        isRight.withLock { $0 = false }
        let first = try await answers()
        for _ in 0..<3 { #expect(try await answers() == first / 2, "\(first)") }
    }

    /// Whose answer is refused cannot be sent again: the server is asked before.
    @Test func aBodyThatIsReadOnceWaitsForDigest() async throws {
        let server = try ScriptedResponder { request in
            request["Authorization"]?.hasPrefix("Digest ") == true
                ? .reply(200)
                : .reply(401, headers: [("WWW-Authenticate", #"Digest realm="r", nonce="n", qop="auth""#)])
        }
        defer { server.stop() }
        let session = HTTPSession.to(server, credential: .password(user: "u", password: "p"))
        #expect(try await session.data(for: HTTPRequest(.get, server.url)).0.status == 200)
        let body = ByteStream(length: 4, isReplayable: false) {
            let rest = Locked<Data?>(Data("text".utf8))
            return { rest.withLock { $0.take() } }
        }
        #expect(try await session.data(for: HTTPRequest(.put, server.url, body: .stream(body))).0.status == 200)
        #expect(server.requests.last?["Expect"] == "100-continue")
    }

    @Test func whatWasSentIsNoted() async throws {
        let server = try ScriptedResponder { _ in .reply(500) }
        let session = HTTPSession.to(server) { $0.retry.maximumRetries = 0 }
        func isNoted(_ method: HTTPMethod) async -> Bool {
            let sent = SentChanges()
            _ = try? await SentChanges.$current.withValue(sent) {
                try await session.data(for: HTTPRequest(method, server.url))
            }
            return !sent.isEmpty
        }
        #expect(await isNoted(.put))
        #expect(await isNoted(.delete))
        #expect(await !isNoted(.get))
        server.stop()
        #expect(await !isNoted(.put))
    }

    @Test func wrongDigestPasswordEnds() async throws {
        let server = try ScriptedResponder { _ in
            .reply(401, headers: [("WWW-Authenticate", #"Digest realm="r", nonce="n", qop="auth""#)])
        }
        defer { server.stop() }
        let session = HTTPSession.to(server, credential: .password(user: "u", password: "p"))
        #expect(try await session.data(for: HTTPRequest(.get, server.url)).0.status == 401)
        #expect(session.requestCount <= 3)
    }

    @Test func tokenIsRenewedAfterARefusal() async throws {
        let server = try tokenServer(accepting: "new") { [grant] _ in grant }
        defer { server.stop() }
        let changes = Log<Credential>()
        let session = HTTPSession.to(
            server, credential: token(server, "old"), date: now, didChange: { changes.add($0) })
        let (response, body) = try await session.data(for: HTTPRequest(.get, server.url))
        #expect(response.status == 200)
        #expect(body == Data("in".utf8))
        let renewal = try #require(server.requests.first { $0.target == "/token" })
        let form = String(decoding: renewal.body, as: UTF8.self)
        #expect(form == "grant_type=refresh_token&refresh_token=r1&client_id=app")
        #expect(renewal["Authorization"] == nil)
        guard case .oauth2(let new) = changes.values.first else { return try #require(Bool(false)) }
        #expect(changes.values.count == 1)
        #expect(new.accessToken == "new" && new.refreshToken == "r2" && new.expiry == now + 300)
        #expect(session.credential == .oauth2(new))
    }

    @Test func tokenIsRenewedOnceForManyAndBeforeItEnds() async throws {
        let server = try tokenServer(accepting: "new") { [grant] _ in
            ScriptedResponder.Script([.pause(0.2)] + grant.steps)
        }
        defer { server.stop() }
        let session = HTTPSession.to(server, credential: token(server, "old", expiry: now + 30), date: now)
        try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<12 {
                group.addTask { try await session.data(for: HTTPRequest(.get, server.url)).0.status }
            }
            for try await status in group { #expect(status == 200) }
        }
        #expect(server.requests.filter { $0.target == "/token" }.count == 1)
        #expect(server.requests.count == 13)
    }

    @Test func cancellingOneThatWaitsLeavesTheOthers() async throws {
        let asked = AsyncStream<Void>.makeStream()
        let server = try tokenServer(accepting: "new") { [grant] _ in
            asked.continuation.yield()
            return ScriptedResponder.Script([.pause(0.3)] + grant.steps)
        }
        defer { server.stop() }
        let session = HTTPSession.to(server, credential: token(server, "old", expiry: now + 30), date: now)
        let first = Task { try await session.data(for: HTTPRequest(.get, server.url)).0.status }
        for await _ in asked.stream { break }
        let second = Task { try await session.data(for: HTTPRequest(.get, server.url)).0.status }
        first.cancel()
        await #expect(throws: CancellationError.self) { _ = try await first.value }
        #expect(try await second.value == 200)
        #expect(server.requests.filter { $0.target == "/token" }.count == 1)
    }

    @Test func troubleWhileRenewingKeepsTheCredential() async throws {
        let server = try tokenServer(accepting: "new") { [grant] request in
            request.index < 2 ? .reply(503) : grant
        }
        defer { server.stop() }
        let session = HTTPSession.to(server, credential: token(server, "old"), date: now)
        let code = try await urlErrorCode { _ = try await session.data(for: HTTPRequest(.get, server.url)) }
        #expect(code == .badServerResponse)
        #expect(session.credential == token(server, "old"))
        #expect(try await session.data(for: HTTPRequest(.get, server.url)).0.status == 200)
    }

    @Test func troubleWhileRenewingEarlyUsesTheOldToken() async throws {
        let server = try tokenServer(accepting: "old") { _ in .reply(503) }
        defer { server.stop() }
        let session = HTTPSession.to(server, credential: token(server, "old", expiry: now + 30), date: now)
        #expect(try await session.data(for: HTTPRequest(.get, server.url)).0.status == 200)
    }

    @Test func refusedRenewalAsksForThePerson() async throws {
        let server = try tokenServer(accepting: "new") { _ in .reply(400, body: #"{"error":"invalid_grant"}"#) }
        defer { server.stop() }
        let session = HTTPSession.to(server, credential: token(server, "old"), date: now)
        for _ in 0..<2 {
            let code = try await urlErrorCode { _ = try await session.data(for: HTTPRequest(.get, server.url)) }
            #expect(code == .userAuthenticationRequired)
        }
        #expect(server.requests.filter { $0.target == "/token" }.count == 1)
    }

    @Test func renewedTokenThatIsRefusedIsAReply() async throws {
        let server = try tokenServer(accepting: "nobody's") { [grant] _ in grant }
        defer { server.stop() }
        let session = HTTPSession.to(server, credential: token(server, "old"), date: now)
        #expect(try await session.data(for: HTTPRequest(.get, server.url)).0.status == 401)
        #expect(server.requests.count < 6)
    }

    @Test(arguments: [Credential.bearer(token: "t"), .oauth2(OAuth2Token(accessToken: "t"))])
    func aTokenDoesNotGoWhereOthersListen(credential: Credential) async throws {
        let proxy = try ScriptedResponder { _ in .reply(200) }
        defer { proxy.stop() }
        let url = try #require(URL(string: "http://files.example/"))
        var configuration = HTTPSessionConfiguration()
        configuration.proxy = proxy.url
        let session = HTTPSession(origin: url, configuration: configuration, credential: credential)
        let code = try await urlErrorCode { _ = try await session.data(for: HTTPRequest(.get, url)) }
        #expect(code == .appTransportSecurityRequiresSecureConnection)
        #expect(proxy.requests.isEmpty)
    }

    @Test func tokensGoOverHTTPSOnly() async throws {
        let server = try ScriptedResponder { _ in .reply(401) }
        defer { server.stop() }
        let endpoint = URL(string: "http://login.example/token")
        let credential = Credential.oauth2(OAuth2Token(accessToken: "a", refreshToken: "r", tokenEndpoint: endpoint))
        let session = HTTPSession.to(server, credential: credential)
        let code = try await urlErrorCode { _ = try await session.data(for: HTTPRequest(.get, server.url)) }
        #expect(code == .appTransportSecurityRequiresSecureConnection)
    }
}
