import FileProviderTesting
import FileProviding
import Foundation
import HTTPFiles
import Testing
import WebDAVFiles

/// Streams of events that end, as behind proxies that let nothing be quiet for long.
@Suite struct EventStreamTests {
    /// A clock that is so many seconds further each time that it is looked at, and whose sleepers wake at once.
    private final class LeapingClock: Clock {
        private let time = Locked(ContinuousClock.now)
        private let leap: Duration
        let minimumResolution = Duration.zero

        init(_ seconds: Int) { leap = .seconds(seconds) }

        var now: ContinuousClock.Instant {
            time.withLock { time in
                time += leap
                return time
            }
        }

        func sleep(until deadline: ContinuousClock.Instant, tolerance: Duration?) async throws {}
    }

    /// Changes of a server whose streams last so many seconds and then end as `script` says.
    private func changes(
        lasting seconds: Int, _ script: ScriptedResponder.Script
    ) async throws -> (FileChanges, ScriptedResponder) {
        let server = try InterruptedUploadTests.server("OpenCloud") { request, _ in
            request.target.contains("/sse")
                ? script : .reply(207, body: multistatus("<D:href>/remote.php/dav/files/anna/</D:href>"))
        }
        let configuration = WebDAVConfiguration(url: server.url.appending(path: "remote.php/dav/files/anna/"))
        let session = HTTPSession(
            origin: server.url, configuration: configuration.http, credential: .password(user: "anna", password: "p"),
            pacer: Pacer(clock: LeapingClock(seconds)))
        let provider = try WebDAVFileProvider(configuration: configuration, session: session)
        return (try await provider.changes(path: .root, recursive: true), server)
    }

    private static let type = ("Content-Type", "text/event-stream")
    private static let broken = ScriptedResponder.Script.head(200, headers: [type, ("Content-Length", "100")])
        .then(": welcome\n\n").then(.close)

    @Test(.timeLimit(.minutes(5))) func aStreamThatEndsWellIsOpenedAgainHoweverOften() async throws {
        let (changes, server) = try await changes(
            lasting: 0, .reply(200, headers: [Self.type], body: ": welcome\n\n"))
        defer { server.stop() }
        var iterator = changes.makeAsyncIterator()
        for _ in 1...70 { #expect(try await iterator.next() == .rescan(.root)) }
    }

    /// The stream goes on: only the change that names no item leads to another listing.
    @Test(.timeLimit(.minutes(5))) func aChangeOfNobodyKnowsWhatIsLookedFor() async throws {
        let (changes, server) = try await changes(
            lasting: 0,
            .head(200, headers: [Self.type, ("Content-Length", "1000")])
                .then("event: item-trashed\ndata: {\"parentitemid\":\"p\"}\n\n").then(.hang))
        defer { server.stop() }
        var iterator = changes.makeAsyncIterator()
        #expect(try await iterator.next() == .rescan(.root))
        #expect(server.requests.count { $0.target.contains("/sse") } == 1)
    }

    @Test(.timeLimit(.minutes(5))) func aStreamThatLastedWasOnlyQuiet() async throws {
        let (changes, server) = try await changes(lasting: 300, Self.broken)
        defer { server.stop() }
        var iterator = changes.makeAsyncIterator()
        for _ in 1...10 { #expect(try await iterator.next() == .rescan(.root)) }
    }

    @Test(.timeLimit(.minutes(5))) func aStreamThatBreaksAtOnceIsGivenUp() async throws {
        let (changes, server) = try await changes(lasting: 0, Self.broken)
        defer { server.stop() }
        await #expect(throws: URLError.self) {
            for try await change in changes { #expect(change == .rescan(.root)) }
        }
        #expect(server.requests.count { $0.target.contains("/sse") } == 7)
    }
}
