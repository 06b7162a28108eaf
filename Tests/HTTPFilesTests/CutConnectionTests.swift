import FileProviderTesting
import FileProviding
import Foundation
import HTTPFiles
import Testing

/// A connection that ends or is hurt at any byte: never does a part pass for the whole.
@Suite struct CutConnectionTests {
    private static let body = "the whole body"
    private static let plain = ScriptedResponder.Script.reply(200, body: body)
    private static let chunked = ScriptedResponder.Script.head(200, headers: [("Transfer-Encoding", "chunked")])
        .then("5\r\nthe w\r\n9\r\nhole body\r\n0\r\n\r\n")

    private static func size(_ script: ScriptedResponder.Script) -> Int {
        script.steps.reduce(0) { if case .send(let data) = $1 { $0 + data.count } else { $0 } }
    }

    @Test(arguments: [plain, chunked].indices)
    func replyCutAnywhere(form: Int) async throws {
        let script = [Self.plain, Self.chunked][form]
        let server = try ScriptedResponder { _ in script }
        defer { server.stop() }
        let size = Self.size(script)
        let proxy = try FaultProxy(to: server.port) { FaultProxy.Faults(toClient: [.cut(after: $0 % size)]) }
        defer { proxy.stop() }
        let session = HTTPSession.to(server)
        for offset in 0..<size {
            do {
                let (_, body) = try await session.data(for: HTTPRequest(.post, proxy.url(server.url)))
                // Only the line feed behind a chunked reply's last chunk may be missing: the body is all there.
                #expect(form == 1 && offset == size - 1, "cut after \(offset) of \(size) bytes")
                #expect(body == Data(Self.body.utf8))
            } catch let error as URLError {
                #expect(error.code == .networkConnectionLost, "cut after \(offset) bytes")
            }
        }
        #expect(proxy.connectionCount == size)
    }

    @Test func uploadCutAnywhere() async throws {
        let server = try ScriptedResponder { .reply($0.isComplete ? 201 : 400) }
        defer { server.stop() }
        let bytes = pattern(3_000_000)
        let cuts = [0, 1, 100, 65_536, 65_700, 1_000_000, 2_999_999]
        let proxy = try FaultProxy(to: server.port) { FaultProxy.Faults(toServer: [.cut(after: cuts[$0])]) }
        defer { proxy.stop() }
        let session = HTTPSession.to(server)
        let (file, _) = try TemporaryFolder().file(bytes)
        for cut in cuts {
            let body = ByteStream(ByteStream.LocalFileSlice(file: file, range: 0..<3_000_000))
            var request = HTTPRequest(.put, proxy.url(server.url), body: .stream(body))
            request.isSafeToRepeat = false
            let code = try await urlErrorCode { _ = try await session.data(for: request) }
            #expect(code == .networkConnectionLost, "cut after \(cut) bytes")
        }
        #expect(!server.requests.contains { $0.isComplete && !$0.isBodiless })
    }

    /// libcurl itself sends the request again when a connection that it used before ends without a reply.
    @Test(
        "after another body, a body that is sent again is sent from its beginning",
        arguments: [HTTPMethod.post, .propfind])
    func sentAgain(earlier: HTTPMethod) async throws {
        let puts = Locked(0)
        let server = try ScriptedResponder { request in
            guard request.method == "PUT" else { return .reply(200, body: "") }
            let number = puts.withLock { puts in
                puts += 1
                return puts
            }
            return number == 1 ? ScriptedResponder.Script([.close]) : .reply(request.isComplete ? 201 : 400)
        }
        defer { server.stop() }
        let session = HTTPSession.to(server)
        _ = try await session.data(for: HTTPRequest(earlier, server.url, body: .bytes(Data("earlier".utf8))))
        let (file, _) = try TemporaryFolder().file(pattern(1000))
        let body = ByteStream(ByteStream.LocalFileSlice(file: file, range: 0..<1000))
        var request = HTTPRequest(.put, server.url, body: .stream(body))
        request.isSafeToRepeat = true
        request.deadlines = HTTPDeadlines(total: 20)
        #expect(try await session.data(for: request).0.status == 201)
        #expect(server.requests.last?.body == pattern(1000))
    }

    @Test("what cannot be sent twice does not meet the end of a connection that was idle")
    func idleConnection() async throws {
        let server = try ScriptedResponder { _ in .reply(204) }
        defer { server.stop() }
        let session = HTTPSession.to(server)
        var delete = HTTPRequest(.delete, server.url)
        delete.isSafeToRepeat = false
        _ = try await session.data(for: delete)
        // libcurl's clock is the real one, and counts whole seconds.
        try await Task.sleep(for: .seconds(2.2))
        _ = try await session.data(for: HTTPRequest(.get, server.url))
        try await Task.sleep(for: .seconds(2.2))
        _ = try await session.data(for: delete)
        #expect(server.requests.map(\.connection) == [0, 0, 1])
    }

    @Test func resetAndStallAreErrors() async throws {
        let server = try ScriptedResponder { _ in .reply(200, data: pattern(500_000)) }
        defer { server.stop() }
        let faults: [FaultProxy.Fault] = [
            .reset(after: 200_000), .stall(after: 200_000), .trickle(bytesPerSecond: 2000),
        ]
        let proxy = try FaultProxy(to: server.port) { FaultProxy.Faults(toClient: [faults[$0]]) }
        defer { proxy.stop() }
        let session = HTTPSession.to(server)
        var request = HTTPRequest(.get, proxy.url(server.url))
        var codes: [URLError.Code] = []
        for _ in faults {
            codes.append(try await urlErrorCode { _ = try await session.data(for: request) })
            request.deadlines = HTTPDeadlines(idle: 0.4, minimumRate: 10_000, rateWindow: 0.5)
        }
        #expect(codes == [.networkConnectionLost, .timedOut, .timedOut])
    }

    @Test func proxyDelaysAndCorruptsAsTold() async throws {
        let server = try ScriptedResponder { _ in Self.plain }
        defer { server.stop() }
        let size = Self.size(Self.plain)
        let proxy = try FaultProxy(to: server.port) { number in
            FaultProxy.Faults(toClient: number == 0 ? [.delay(0.2), .corrupt(at: size - 1)] : [])
        }
        defer { proxy.stop() }
        let session = HTTPSession.to(server)
        let begin = ContinuousClock.now
        let (_, body) = try await session.data(for: HTTPRequest(.get, proxy.url(server.url)))
        #expect(ContinuousClock.now - begin >= .seconds(0.2))
        #expect(body.dropLast() == Data(Self.body.utf8).dropLast())
        #expect(body.last == UInt8(ascii: "y") ^ 0xFF)
        #expect(proxy.traffic.bytesToClient == size)
        proxy.cutConnections()
        #expect(try await session.data(for: HTTPRequest(.get, proxy.url(server.url))).1 == Data(Self.body.utf8))
    }
}
