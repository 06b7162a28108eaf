import FileProviderTesting
import FileProviding
import Foundation
import HTTPFiles
import Testing

/// Pages after the first one.
@Suite struct PageTests {
    /// A server of two pages, whose second one is answered by the script for the number of times it was asked for before.
    private func server(second: @escaping @Sendable (Int) -> ScriptedResponder.Script) throws -> ScriptedResponder {
        let asked = Locked(0)
        return try ScriptedResponder { request in
            guard request["X-Page"] != nil else { return .reply(200, headers: [("X-Next", "2")], body: "a\nb\n") }
            return second(
                asked.withLock { asked in
                    defer { asked += 1 }
                    return asked
                })
        }
    }

    private static let cut = ScriptedResponder.Script.head(200, headers: [("Content-Length", "100")]).then("c\n")
        .then(.close)

    @Test func `a page that breaks off before it told anything is asked for again`() async throws {
        let server = try server { $0 < 2 ? Self.cut : .reply(200, body: "c\nd\n") }
        defer { server.stop() }
        let provider = PlainProvider(server, retry: RetryPolicy(firstPause: 0.01))
        #expect(try await provider.contentsOfDirectory(path: "/").map(\.name) == ["a", "b", "c", "d"])
        #expect(server.requests.map { $0["X-Page"] } == [nil, "2", "2", "2"])
    }

    @Test func `a page that always breaks off is an error after some times`() async throws {
        let server = try server { _ in Self.cut }
        defer { server.stop() }
        let provider = PlainProvider(server, retry: RetryPolicy(maximumRetries: 2, firstPause: 0.01))
        await #expect(throws: URLError.self) { try await provider.contentsOfDirectory(path: "/") }
        #expect(server.requests.count == 4)
    }

    @Test func `a directory among its own members is left out`() async throws {
        let server = try ScriptedResponder { _ in .reply(200, body: "a\n") }
        defer { server.stop() }
        var provider = PlainProvider(server)
        provider.listsItself = true
        #expect(try await provider.contentsOfDirectory(path: "d").map(\.path) == ["d/a"])
    }

    @Test(arguments: [404, 410]) func `a page that is gone is no missing directory`(status: Int) async throws {
        let server = try server { _ in .reply(status) }
        defer { server.stop() }
        await #expect { try await PlainProvider(server).contentsOfDirectory(path: "/") } throws: {
            !$0.isNoSuchFile && ($0 as? CocoaError)?.code == .fileReadUnknown
        }
    }
}
