import FileProviderTesting
import FileProviding
import Foundation
import HTTPFiles
import Testing

/// Pages after the first one.
@Suite struct PageTests {
    /// A server of two pages, whose second one is answered by the script for the number of times it was asked for
    /// before.
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

    @Test func `a page that breaks off is asked for again, and no entry is told twice`() async throws {
        let server = try server { $0 < 2 ? Self.cut : .reply(200, body: "b\nc\nd\n") }
        defer { server.stop() }
        let provider = PlainProvider(server, retry: RetryPolicy(firstPause: 0.01))
        var pages: [[String]] = []
        for try await page in provider.listing(path: "/") { pages.append(page.map(\.name)) }
        // The other page is another directory's, as far as the names are concerned.
        #expect(pages == [["a", "b"], ["c"], ["b", "d"]])
        #expect(server.requests.map { $0["X-Page"] } == [nil, "2", "2", "2"])
    }

    @Test func `so is the first page`() async throws {
        let server = try ScriptedResponder { $0.index == 0 ? Self.cut : .reply(200, body: "b\nc\nd\n") }
        defer { server.stop() }
        let provider = PlainProvider(server, retry: RetryPolicy(firstPause: 0.01))
        #expect(try await provider.contentsOfDirectory(path: "/").map(\.name) == ["c", "b", "d"])
        #expect(server.requests.count == 2)
    }

    @Test func `a login page is a reply that cannot be understood`() async throws {
        let server = try ScriptedResponder { _ in
            .reply(200, headers: [("Content-Type", "text/html")], body: "<title>Log in</title>")
        }
        defer { server.stop() }
        var provider = PlainProvider(server)
        provider.looksUpByGet = true
        let options = OperationOptions(overwrite: true)
        for work: @Sendable () async throws -> Void in [
            { [provider] in _ = try await provider.attributesOfItem(path: "f") },
            { [provider] in _ = try await provider.contentsOfDirectory(path: "/") },
            { [provider] in _ = try await provider.perform(.remove("f"), in: OperationContext()) },
            { [provider] in _ = try await provider.write(path: "f", from: ByteStream(Data()), options: options) },
        ] {
            await #expect { try await work() } throws: {
                ($0 as? URLError)?.code == .cannotParseResponse
                    && $0.localizedDescription.contains("a web page, perhaps a login form")
            }
        }
    }

    @Test(arguments: [
        ("{", "it is not valid"), ("{\"tag\": 1}", "“tag” is of another type"), ("{\"tag\": null}", "“tag” is null"),
    ])
    func `what is wrong with a reply is said`(body: String, reason: String) async throws {
        let server = try ScriptedResponder { _ in .reply(201, body: body) }
        defer { server.stop() }
        await #expect {
            try await PlainProvider(server).write(path: "f", from: ByteStream(Data("x".utf8)))
        } throws: {
            ($0 as? URLError)?.code == .cannotParseResponse && $0.localizedDescription.contains(reason)
        }
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
