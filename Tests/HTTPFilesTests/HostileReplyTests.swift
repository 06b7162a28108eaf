import FileProviderTesting
import FileProviding
import Foundation
import HTTPFiles
import TestSupport
import Testing

/// Replies that no honest server gives: each ends in one clear error.
@Suite struct HostileReplyTests {
    /// The error of a whole reply, of a pulled one and of a download are the same.
    private func codes(
        limits: HTTPLimits? = nil, deadlines: HTTPDeadlines? = nil, compressed: Bool = false,
        _ script: ScriptedResponder.Script
    ) async throws -> Set<URLError.Code> {
        let server = try ScriptedResponder { _ in script }
        defer { server.stop() }
        let session = HTTPSession.to(server)
        var request = HTTPRequest(.get, server.url)
        request.limits = limits
        request.deadlines = deadlines
        request.acceptsCompression = compressed
        let (file, _) = try TemporaryFolder().file()
        let sent = request
        return [
            try await urlErrorCode { _ = try await session.data(for: sent) },
            try await urlErrorCode { _ = try await session.stream(for: sent).1.collect() },
            try await urlErrorCode { _ = try await session.download(sent, into: file, at: 0) { _ in .write() } },
        ]
    }

    private let quick = HTTPDeadlines(connect: 5, idle: 0.3, minimumRate: 1000, rateWindow: 0.6)

    @Test func bodyIsCut() async throws {
        let script = ScriptedResponder.Script.head(200, headers: [("Content-Length", "1000")]).then("half").then(.close)
        #expect(try await codes(script) == [.networkConnectionLost])
    }

    @Test func connectionIsResetWithinTheBody() async throws {
        let script = ScriptedResponder.Script.head(200, headers: [("Content-Length", "1000")])
            .then("half").then(.pause(0.1)).then(.reset)
        #expect(try await codes(script) == [.networkConnectionLost])
    }

    @Test func chunkedBodyIsTruncated() async throws {
        let script = ScriptedResponder.Script.head(200, headers: [("Transfer-Encoding", "chunked")])
            .then("5\r\nhello\r\n").then(.close)
        #expect(try await codes(script) == [.networkConnectionLost])
    }

    @Test func chunkSizeIsNonsense() async throws {
        let script = ScriptedResponder.Script.head(200, headers: [("Transfer-Encoding", "chunked")])
            .then("zzz\r\nhello\r\n").then(.close)
        #expect(try await codes(script) == [.networkConnectionLost])
    }

    @Test func closedWithoutAReply() async throws {
        #expect(try await codes(ScriptedResponder.Script([.close])) == [.networkConnectionLost])
    }

    @Test func notHTTPAtAll() async throws {
        #expect(try await codes(.raw("SSH-2.0-OpenSSH\r\n").then(.close)) == [.badServerResponse])
    }

    @Test func neverAnswers() async throws {
        #expect(try await codes(deadlines: quick, ScriptedResponder.Script([.hang])) == [.timedOut])
    }

    @Test func stallsWithinTheBody() async throws {
        let script = ScriptedResponder.Script.head(200, headers: [("Content-Length", "1000")]).then("half").then(.hang)
        #expect(try await codes(deadlines: quick, script) == [.timedOut])
    }

    @Test func trickles() async throws {
        let script = ScriptedResponder.Script.head(200, headers: [("Content-Length", "100000")])
            .then(.trickle(Data(count: 100_000), pieceSize: 1, pause: 0.05))
        #expect(try await codes(deadlines: quick, script) == [.timedOut])
    }

    @Test func totalDeadline() async throws {
        let script = ScriptedResponder.Script.head(200, headers: [("Content-Length", "100000")])
            .then(.trickle(Data(count: 100_000), pieceSize: 100, pause: 0.05))
        #expect(try await codes(deadlines: HTTPDeadlines(total: 0.4), script) == [.timedOut])
    }

    @Test func hugeHead() async throws {
        let line = Data("X-Filler: \(String(repeating: "x", count: 8000))\r\n".utf8)
        let script = ScriptedResponder.Script.raw("HTTP/1.1 200 OK\r\n").then(.flood(line, times: 1000)).then("\r\n")
        #expect(try await codes(script) == [.dataLengthExceedsMaximum])
    }

    @Test func bodyOverTheLimit() async throws {
        let chunk = Data("1000\r\n\(String(repeating: "x", count: 4096))\r\n".utf8)
        let script = ScriptedResponder.Script.head(200, headers: [("Transfer-Encoding", "chunked")])
            .then(.flood(chunk, times: 1000))
        #expect(try await codes(limits: HTTPLimits(bodyBytes: 100_000), script) == [.dataLengthExceedsMaximum])
    }

    @Test func wholeReplyIsBoundedByDefault() async throws {
        let server = try ScriptedResponder { _ in
            .head(200, headers: [("Content-Length", "10000000000")]).then(.flood(Data(count: 1 << 20), times: 10_000))
        }
        defer { server.stop() }
        let session = HTTPSession.to(server)
        let code = try await urlErrorCode { _ = try await session.data(for: HTTPRequest(.propfind, server.url)) }
        #expect(code == .dataLengthExceedsMaximum)
    }

    @Test func compressedBomb() async throws {
        // 64 MiB of zeros in 64 KiB: a deflate stream of stored zeros cannot be written by hand, so gzip makes it.
        let bomb = try gzip(Data(count: 64 << 20))
        #expect(bomb.count < 100_000)
        let headers = [("Content-Encoding", "gzip"), ("Content-Length", String(bomb.count))]
        let script = ScriptedResponder.Script.head(200, headers: headers).then(.send(bomb))
        let limits = HTTPLimits(bodyBytes: 1 << 20)
        #expect(try await codes(limits: limits, compressed: true, script) == [.dataLengthExceedsMaximum])
    }

    @Test func damagedCompression() async throws {
        let headers = [("Content-Encoding", "gzip"), ("Content-Length", "9")]
        let script = ScriptedResponder.Script.head(200, headers: headers).then("not gzip!")
        #expect(try await codes(compressed: true, script) == [.cannotDecodeContentData])
    }

    @Test func unknownHostAndRefusedConnection() async throws {
        let session = HTTPSession(origin: nil)
        let unknown = try #require(URL(string: "http://no-such-host.invalid/"))
        #expect(
            try await urlErrorCode { _ = try await session.data(for: HTTPRequest(.get, unknown)) } == .cannotFindHost)
        let code = try await urlErrorCode { _ = try await session.data(for: HTTPRequest(.get, nowhere)) }
        #expect(code == .cannotConnectToHost)
    }

    @Test func aDeadlineWithoutEndIsBorne() async throws {
        var configuration = HTTPSessionConfiguration()
        configuration.deadlines.connect = .infinity
        configuration.retry = .never
        // A pinned host's certificate is looked at first.
        configuration.pinnedCertificates = ["127.0.0.1": ["00"]]
        let session = HTTPSession(origin: nil, configuration: configuration)
        let url = try #require(URL(string: "https://127.0.0.1:1/"))
        let code = try await urlErrorCode { _ = try await session.data(for: HTTPRequest(.get, url)) }
        #expect(code == .cannotConnectToHost)
    }

    @Test func secretsStayOutOfErrors() async throws {
        let server = try ScriptedResponder { _ in .raw("nonsense\r\n").then(.close) }
        defer { server.stop() }
        let session = HTTPSession.to(server, credential: .password(user: "someone", password: "pa55word"))
        let url = server.url.appending(queryItems: [URLQueryItem(name: "token", value: "s3cret")])
        let error = try await #require(throws: URLError.self) {
            _ = try await session.data(for: HTTPRequest(.get, url))
        }
        let shown = "\(error) \(error.localizedDescription) \(error.userInfo)"
        #expect(!shown.contains("s3cret") && !shown.contains("pa55word"))
    }

    /// A length beside chunks does not count (RFC 9112, section 6.3): taken for the file's, it cut the file.
    @Test func aLengthBesideChunksDoesNotCount() async throws {
        let server = try ScriptedResponder { _ in
            .head(200, headers: [("Content-Length", "3"), ("Transfer-Encoding", "chunked")])
                .then("5\r\nwhole\r\n0\r\n\r\n")
        }
        defer { server.stop() }
        let session = HTTPSession.to(server)
        let (response, body) = try await session.stream(for: HTTPRequest(.get, server.url))
        #expect(response.contentLength == nil && body.length == nil)
        #expect(try await body.collect() == Data("whole".utf8))
    }

    @Test func userInURLIsRefused() async throws {
        let session = HTTPSession(origin: nil)
        let url = try #require(URL(string: "http://me:secret@127.0.0.1:1/"))
        let error = try await #require(throws: URLError.self) {
            _ = try await session.data(for: HTTPRequest(.get, url))
        }
        #expect(error.code == .badURL)
        #expect(!error.localizedDescription.contains("secret"))
        let other = try #require(URL(string: "file:///etc/passwd"))
        #expect(try await urlErrorCode { _ = try await session.data(for: HTTPRequest(.get, other)) } == .unsupportedURL)
    }
}

/// The bytes compressed by the gzip program.
private func gzip(_ data: Data) throws -> Data {
    let folder = try TemporaryFolder()
    let (_, file) = try folder.file(data)
    try #require(try ChildProgram.run("gzip", ["-9", file.path]) == 0)
    return try Data(contentsOf: file.appendingPathExtension("gz"))
}
