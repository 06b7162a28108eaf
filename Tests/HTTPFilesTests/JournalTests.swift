import FileProviderTesting
import FileProviding
import Foundation
import HTTPFiles
import Logging
import Testing

@Suite struct JournalTests {
    /// Keeps what is logged.
    private struct Recorder: LogHandler {
        let lines: Log<String>
        var logLevel = Logger.Level.debug
        var metadata = Logger.Metadata()

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        func log(event: LogEvent) {
            let fields = (event.metadata ?? [:]).sorted { $0.key < $1.key }.map { "\($0)=\($1)" }
            lines.add("\(event.level) \(event.message) \(fields.joined(separator: " "))")
        }
    }

    @Test func eachRequestIsOneLineWithoutSecrets() async throws {
        let server = try ScriptedResponder {
            .reply($0.target.hasPrefix("/new") ? 200 : 307, headers: [("Location", "/new?k=q5")])
        }
        defer { server.stop() }
        let lines = Log<String>()
        let session = HTTPSession(
            origin: server.url, credential: .password(user: "someone", password: "pa55word"),
            logger: Logger(label: "test") { _ in Recorder(lines: lines) })
        let url = server.url.appending(queryItems: [URLQueryItem(name: "token", value: "s3cret")])
        _ = try await session.data(
            for: HTTPRequest(.put, url, headers: ["X-Key": "k3y"], body: .bytes(Data("b0dy".utf8))))
        #expect(lines.values.count == 2)
        #expect(lines.values[0].hasPrefix("debug HTTP request bytes=0 method=PUT ms="))
        #expect(lines.values[0].contains("status=307 url=\(server.url.absoluteString)"))
        #expect(lines.values[1].contains("status=200 url=\(server.url.absoluteString)new"))
        for secret in ["someone", "pa55word", "c29tZW9uZ", "s3cret", "q5", "k3y", "b0dy"] {
            #expect(!lines.values.joined().contains(secret))
        }
    }

    @Test func anAddressThatIsASecretIsNotLogged() async throws {
        let server = try ScriptedResponder { _ in .reply(204) }
        defer { server.stop() }
        let lines = Log<String>()
        let session = HTTPSession(
            origin: server.url, logger: Logger(label: "test") { _ in Recorder(lines: lines) })
        var request = HTTPRequest(.head, server.url.appending(path: "data/s3cret"))
        request.hidesURL = true
        _ = try await session.data(for: request)
        #expect(lines.values.count == 1 && !lines.values.joined().contains("s3cret"))
        #expect(lines.values[0].contains("url=http://127.0.0.1:\(server.port)/…"))
    }

    @Test func credentialsDoNotDescribeThemselves() throws {
        let session = HTTPSession(origin: nil, credential: .bearer(token: "s3cret"))
        var shown = ""
        dump(session, to: &shown)
        #expect(!shown.contains("s3cret"))
        #expect(!"\(session)".contains("s3cret"))
    }
}
