import FileProviderTesting
import FileProviding
import Foundation
import Testing

@testable import HTTPFiles

@Suite struct RetryTests {
    /// Answers with the statuses in turn, the last one for ever.
    private func server(
        _ statuses: [Int], headers: [(String, String)] = []
    ) throws -> ScriptedResponder {
        try ScriptedResponder { request in
            let status = statuses[min(request.index, statuses.count - 1)]
            return .reply(status, headers: status < 300 ? [] : headers, body: "status \(status)")
        }
    }

    @Test(arguments: [408, 425, 429, 500, 502, 503, 504, 509])
    func temporaryRefusalIsWaitedOut(status: Int) async throws {
        let server = try server([status, status, 201])
        defer { server.stop() }
        let clock = InstantClock()
        let session = HTTPSession.to(server, retry: RetryPolicy(), clock: clock)
        let request = HTTPRequest(.put, server.url, body: .bytes(Data("x".utf8)))
        #expect(try await session.data(for: request).0.status == 201)
        #expect(clock.pauses == [.seconds(0.25), .seconds(0.5)])
        #expect(server.requests.map(\.body) == Array(repeating: Data("x".utf8), count: 3))
    }

    @Test(arguments: [400, 403, 404, 409, 412, 416, 423, 501, 505, 507])
    func finalRefusalIsNot(status: Int) async throws {
        let server = try server([status, 200])
        defer { server.stop() }
        let session = HTTPSession.to(server, retry: RetryPolicy())
        #expect(try await session.data(for: HTTPRequest(.get, server.url)).0.status == status)
    }

    @Test func lockedIsWaitedOutWhenAsked() async throws {
        let server = try server([423, 200])
        defer { server.stop() }
        var request = HTTPRequest(.get, server.url)
        request.retriesWhenLocked = true
        #expect(try await HTTPSession.to(server, retry: RetryPolicy()).data(for: request).0.status == 200)
    }

    @Test func endsWithTheLastReply() async throws {
        let server = try server([503])
        defer { server.stop() }
        let clock = InstantClock()
        let (response, body) = try await HTTPSession.to(server, retry: RetryPolicy(), clock: clock)
            .data(for: HTTPRequest(.get, server.url))
        #expect(response.status == 503)
        #expect(body == Data("status 503".utf8))
        #expect(server.requests.count == 4)
    }

    @Test func retryAfterIsHonouredAndBounded() async throws {
        let server = try server([503, 200], headers: [("Retry-After", "7")])
        defer { server.stop() }
        let clock = InstantClock()
        let session = HTTPSession.to(server, retry: RetryPolicy(), clock: clock)
        #expect(try await session.data(for: HTTPRequest(.get, server.url)).0.status == 200)
        #expect(clock.pauses == [.seconds(7)])
        let patient = try self.server([503, 200], headers: [("Retry-After", "3600")])
        defer { patient.stop() }
        let other = HTTPSession.to(patient, retry: RetryPolicy(), clock: clock)
        #expect(try await other.data(for: HTTPRequest(.get, patient.url)).0.status == 503)
        #expect(clock.pauses.count == 1)
    }

    @Test("work with patience waits as long as the server asks, and then every request of that session does")
    func patience() async throws {
        let server = try server([200, 429, 200, 503, 200], headers: [("Retry-After", "60")])
        defer { server.stop() }
        let clock = InstantClock()
        let session = HTTPSession.to(server, retry: RetryPolicy(), clock: clock)
        let get = HTTPRequest(.get, server.url)
        let once = HTTPRequest(
            .put, server.url,
            body: .stream(ByteStream(AsyncStream { $0.finish() }, length: 0)))
        let waited = { clock.pauses.reduce(.zero, +) }
        try await Patience.$limit.withValue(.seconds(120)) { () async throws in
            #expect(try await session.data(for: get).0.status == 200)
            #expect(waited() == .zero)
            #expect(try await session.data(for: get).0.status == 200)
            #expect(waited() == .seconds(60))
            // What cannot be sent again is refused, and what comes next waits.
            #expect(try await session.data(for: once).0.status == 503)
            #expect(waited() == .seconds(60))
            #expect(try await session.data(for: get).0.status == 200)
            #expect(waited() == .seconds(120))
            #expect(try await session.data(for: get).0.status == 200)
            #expect(waited() == .seconds(120))
        }
        #expect(server.requests.count == 6)
    }

    @Test("what has waited for the end of a pause has all its attempts before it")
    func afterAPause() async throws {
        let server = try ScriptedResponder { request in
            switch request.index {
            case 0: .reply(503, headers: [("Retry-After", "60")])
            case 1: ScriptedResponder.Script([.reset])
            case 2: .reply(429, headers: [("Retry-After", "100")])
            default: .reply(200)
            }
        }
        defer { server.stop() }
        let clock = InstantClock()
        let session = HTTPSession.to(server, retry: RetryPolicy(), clock: clock)
        let get = HTTPRequest(.get, server.url)
        #expect(try await session.data(for: get).0.status == 503)
        try await Patience.$limit.withValue(.seconds(120)) { () async throws in
            #expect(try await session.data(for: get).0.status == 200)
        }
        #expect(clock.pauses.reduce(.zero, +) >= .seconds(160))
        #expect(server.requests.count == 4)
    }

    @Test("a reply to what was sent before a pause does not end it, and neither does a refusal without a time")
    func lateReplies() async throws {
        let clock = InstantClock()
        let pauses = RequestedPauses(pacer: Pacer(clock: clock))
        let origin = Origin(nowhere)
        func wait() async throws -> Duration {
            let before = clock.pauses.reduce(.zero, +)
            try await pauses.wait(for: origin, limit: 120)
            return clock.pauses.reduce(.zero, +) - before
        }
        try await clock.sleep(until: clock.now + .seconds(10), tolerance: nil)
        pauses.note(429, retryAfter: 60, from: origin, sentAt: 9)
        pauses.note(201, retryAfter: nil, from: origin, sentAt: 8)
        pauses.note(503, retryAfter: nil, from: origin, sentAt: 10)
        #expect(try await wait() >= .seconds(59))
        pauses.note(429, retryAfter: 60, from: origin, sentAt: 70)
        pauses.note(201, retryAfter: nil, from: origin, sentAt: 71)
        #expect(try await wait() == .zero)
    }

    @Test("a pause that is longer than the patience is not begun, and another reply ends a pause")
    func patienceEnds() async throws {
        let server = try server([429, 429, 200], headers: [("Retry-After", "60")])
        defer { server.stop() }
        let clock = InstantClock()
        let session = HTTPSession.to(server, retry: RetryPolicy(), clock: clock)
        let get = HTTPRequest(.get, server.url)
        #expect(try await session.data(for: get).0.status == 429)
        try await Patience.$limit.withValue(.seconds(30)) { () async throws in
            #expect(try await session.data(for: get).0.status == 429)
        }
        #expect(try await session.data(for: get).0.status == 200)
        try await Patience.$limit.withValue(.seconds(120)) { () async throws in
            #expect(try await session.data(for: get).0.status == 200)
        }
        #expect(clock.pauses.isEmpty)
    }

    @Test func aPauseForEverIsBorne() async throws {
        let server = try server([503, 200], headers: [("Retry-After", "1e300")])
        defer { server.stop() }
        let clock = InstantClock()
        let session = HTTPSession.to(server, retry: RetryPolicy(within: .infinity), clock: clock)
        #expect(try await session.data(for: HTTPRequest(.get, server.url)).0.status == 200)
        #expect(clock.pauses == [.seconds(1_000_000_000)])
    }

    @Test func unsafeRequestsGoOutOnce() async throws {
        let server = try server([500])
        defer { server.stop() }
        let session = HTTPSession.to(server, retry: RetryPolicy())
        #expect(try await session.data(for: HTTPRequest(.post, server.url)).0.status == 500)
        var put = HTTPRequest(.put, server.url)
        put.isSafeToRepeat = false
        #expect(try await session.data(for: put).0.status == 500)
        let once = ByteStream(
            AsyncStream {
                $0.yield(Data("x".utf8)); $0.finish()
            }, length: 1)
        #expect(try await session.data(for: HTTPRequest(.put, server.url, body: .stream(once))).0.status == 500)
        #expect(server.requests.count == 3)
    }

    @Test(arguments: [425, 429, 503])
    func turnedAwayUntriedIsSafeForAll(status: Int) async throws {
        let server = try server([status, 200])
        defer { server.stop() }
        let session = HTTPSession.to(server, retry: RetryPolicy())
        #expect(try await session.data(for: HTTPRequest(.post, server.url)).0.status == 200)
    }

    @Test func lostConnectionIsTriedAgain() async throws {
        let server = try ScriptedResponder { request in
            switch request.index {
            case 0: ScriptedResponder.Script([.reset])
            case 1: .head(200, headers: [("Content-Length", "10")]).then("cut").then(.close)
            default: .reply(200, body: "whole")
            }
        }
        defer { server.stop() }
        let session = HTTPSession.to(server, retry: RetryPolicy())
        #expect(try await session.data(for: HTTPRequest(.get, server.url)).1 == Data("whole".utf8))
        #expect(session.requestCount == 3)
    }

    @Test func closedPooledConnectionIsReplacedAtOnce() async throws {
        let server = try ScriptedResponder { request in
            // The first connection dies when its second request comes.
            request.connection == 0 && request.index > 0
                ? ScriptedResponder.Script([.close]) : .reply(200, body: "\(request.connection)")
        }
        defer { server.stop() }
        let clock = InstantClock()
        let session = HTTPSession.to(server, retry: RetryPolicy(), clock: clock)
        _ = try await session.data(for: HTTPRequest(.get, server.url))
        #expect(try await session.data(for: HTTPRequest(.get, server.url)).1 == Data("1".utf8))
        #expect(clock.pauses.isEmpty)
        #expect(server.requests.count == 3)
    }

    @Test func unsafeRequestIsNotSentTwiceOnAClosedConnection() async throws {
        let server = try ScriptedResponder { request in
            request.method == "POST" ? ScriptedResponder.Script([.close]) : .reply(200)
        }
        defer { server.stop() }
        let session = HTTPSession.to(server, retry: RetryPolicy())
        _ = try await session.data(for: HTTPRequest(.get, server.url))
        let code = try await urlErrorCode { _ = try await session.data(for: HTTPRequest(.post, server.url)) }
        #expect(code == .networkConnectionLost)
        #expect(server.requests.count == 2)
    }

    @Test func neverSentIsAlwaysSafe() async throws {
        let server = try ScriptedResponder { _ in .reply(200) }
        defer { server.stop() }
        let clock = InstantClock()
        let session = HTTPSession.to(server, retry: RetryPolicy(), clock: clock)
        _ = try await urlErrorCode { _ = try await session.data(for: HTTPRequest(.post, nowhere)) }
        #expect(clock.pauses.count == 3)
        #expect(session.requestCount == 0)
    }

    @Test func totalDeadlineBoundsRetries() async throws {
        let server = try server([503])
        defer { server.stop() }
        let clock = InstantClock()
        let session = HTTPSession.to(server, retry: RetryPolicy(), clock: clock) { $0.deadlines.total = 0.5 }
        #expect(try await session.data(for: HTTPRequest(.get, server.url)).0.status == 503)
        #expect(clock.pauses == [.seconds(0.25)])
    }
}
