import FileProviderTesting
import FileProviding
import Foundation
import HTTPFiles
import Testing

@Suite struct UploadTests {
    private struct SourceFailure: Error {}

    /// Chunks in order, then an optional error.
    private func stream(_ chunks: [Data], length: Int64?, failing: Bool = false) -> ByteStream {
        ByteStream(
            AsyncThrowingStream { continuation in
                for chunk in chunks { continuation.yield(chunk) }
                continuation.finish(throwing: failing ? SourceFailure() : nil)
            }, length: length)
    }

    private func echo() throws -> ScriptedResponder {
        try ScriptedResponder { request in .reply(request.isComplete ? 201 : 400) }
    }

    @Test(arguments: [0, 1, 65_535, 65_536, 65_537, 3_000_000])
    func bytesArrive(size: Int) async throws {
        let server = try echo()
        defer { server.stop() }
        let session = HTTPSession.to(server)
        let bytes = pattern(size)
        let sent = Log<Int64>()
        _ = try await session.data(for: HTTPRequest(.put, server.url, body: .bytes(bytes))) { sent.add($0) }
        #expect(server.requests[0].body == bytes)
        #expect(server.requests[0]["Content-Length"] == "\(size)")
        #expect(server.requests[0]["Content-Type"] == nil)
        #expect(sent.values == sent.values.sorted())
        #expect(sent.values.last ?? 0 == Int64(size))
    }

    @Test func fileArrives() async throws {
        let server = try echo()
        defer { server.stop() }
        let bytes = pattern(2_000_000)
        let (file, _) = try TemporaryFolder().file(bytes)
        let body = ByteStream(ByteStream.LocalFileSlice(file: file, range: 1000..<1_900_000))
        _ = try await HTTPSession.to(server).data(for: HTTPRequest(.put, server.url, body: .stream(body)))
        #expect(server.requests[0].body == bytes[1000..<1_900_000])
    }

    /// A short file is read before the request: what cannot be sent as it was listed is not begun.
    @Test(arguments: [1000, 1_000_000])
    func aFileThatHasChangedIsNotSent(size: Int) async throws {
        let server = try echo()
        defer { server.stop() }
        let folder = try TemporaryFolder()
        let (file, url) = try folder.file(pattern(size))
        let slice = ByteStream.LocalFileSlice(
            file: file, range: 0..<Int64(size), expected: ("/a", try file.version()))
        let cut = ByteStream.LocalFileSlice(file: file, range: 0..<Int64(size))
        let handle = try FileHandle(forWritingTo: url)
        try handle.truncate(atOffset: UInt64(size / 2))
        try handle.close()
        let session = HTTPSession.to(server)
        let changed = await #expect(throws: CocoaError.self) {
            try await session.data(for: HTTPRequest(.put, server.url, body: .stream(ByteStream(slice))))
        }
        #expect(changed?.isItemChanged == true)
        let ended = await #expect(throws: CocoaError.self) {
            try await session.data(for: HTTPRequest(.put, server.url, body: .stream(ByteStream(cut))))
        }
        #expect(ended?.code == .fileWriteUnknown)
        #expect(server.requests.allSatisfy { !$0.isComplete })
        if size <= 64 << 10 { #expect(session.requestCount == 0) }
    }

    /// However long others wait for the connection: a program may have so many files open and no more.
    @Test func aFileIsClosedWhenItHasBeenSent() async throws {
        struct Sent: @unchecked Sendable { weak var file: LocalFileHandle? }  // Set once, when it is made.
        let server = try ScriptedResponder { _ in
            ScriptedResponder.Script([.pause(0.005)]).then("HTTP/1.1 201 Created\r\nContent-Length: 0\r\n\r\n")
        }
        defer { server.stop() }
        let folder = try TemporaryFolder()
        let session = HTTPSession.to(server) { $0.maximumConnections = 1 }
        let sent = Log<Sent>()
        let open = Log<Int>()
        try await withThrowingDiscardingTaskGroup { group in
            for _ in 0..<8 {
                group.addTask {
                    for _ in 0..<10 {
                        let (file, _) = try folder.file(pattern(10))
                        sent.add(Sent(file: file))
                        let body = ByteStream(ByteStream.LocalFileSlice(file: file, range: 0..<10))
                        _ = try await session.data(for: HTTPRequest(.put, server.url, body: .stream(body)))
                        open.add(sent.values.count { $0.file != nil })
                    }
                }
            }
        }
        #expect(server.requests.count == 80)
        #expect(open.values.max() ?? 0 <= 10)
    }

    @Test(arguments: [true, false])
    func streamArrives(hasLength: Bool) async throws {
        let server = try echo()
        defer { server.stop() }
        let bytes = pattern(5_000_000)
        let chunks = stride(from: 0, to: bytes.count, by: 77_777).map { bytes.dropFirst($0).prefix(77_777) }
        let body = stream(chunks, length: hasLength ? 5_000_000 : nil)
        let (response, _) = try await HTTPSession.to(server).data(
            for: HTTPRequest(.put, server.url, body: .stream(body)))
        #expect(response.status == 201)
        #expect(server.requests[0].body == bytes)
        #expect((server.requests[0]["Transfer-Encoding"] == "chunked") == !hasLength)
    }

    /// "All at once" may be written as the largest number, and then does not fit behind an offset.
    @Test(arguments: [(Int64.max, [8]), (3, [3, 3, 2]), (1, nil), (0, nil), (-1, nil)] as [(Int64, [Int]?)])
    func partsMayHaveAnyLength(length: Int64, expected: [Int]?) async throws {
        let folder = try TemporaryFolder()
        let (_, url) = try folder.file(Data("0123456789".utf8))
        let whole = try #require(try ByteStream(localFile: LocalPath(url.path)).localFile)
        for source in [ByteStream(whole.part(2..<10)), stream([Data("23456".utf8), Data("789".utf8)], length: 8)] {
            let parts = Locked<[Data]>([])
            try await source.forEachPart(of: length) { part in
                let bytes = try await part.collect()
                parts.withLock { $0.append(bytes) }
            }
            let found = parts.withLock { $0 }
            #expect(found.map(\.count) == (expected ?? [Int](repeating: 1, count: 8)))
            #expect(Data(found.joined()) == Data("23456789".utf8))
        }
    }

    @Test(arguments: [Int64(5), 15])
    func wrongLengthNeverCompletes(length: Int64) async throws {
        let server = try echo()
        defer { server.stop() }
        let body = stream([Data("01234".utf8), Data("56789".utf8)], length: length)
        await #expect(throws: CocoaError.self) {
            _ = try await HTTPSession.to(server).data(for: HTTPRequest(.put, server.url, body: .stream(body)))
        }
        #expect(!server.requests.contains { $0.isComplete })
    }

    @Test func failingSourceNeverCompletes() async throws {
        let server = try echo()
        defer { server.stop() }
        for length in [Int64(10), nil] {
            let body = stream([Data("01234".utf8)], length: length, failing: true)
            await #expect(throws: SourceFailure.self) {
                _ = try await HTTPSession.to(server).data(for: HTTPRequest(.put, server.url, body: .stream(body)))
            }
        }
        #expect(!server.requests.contains { $0.isComplete })
    }

    @Test func shrunkFileNeverCompletes() async throws {
        let server = try echo()
        defer { server.stop() }
        let (file, _) = try TemporaryFolder().file(Data(count: 100_000))
        let body = ByteStream(ByteStream.LocalFileSlice(file: file, range: 0..<200_000))
        await #expect(throws: CocoaError.self) {
            _ = try await HTTPSession.to(server).data(for: HTTPRequest(.put, server.url, body: .stream(body)))
        }
        #expect(!server.requests.contains { $0.isComplete })
    }

    @Test func replayableStreamIsSentAgain() async throws {
        let server = try ScriptedResponder { .reply($0.index == 0 ? 503 : 201) }
        defer { server.stop() }
        let chunks = Log<Int>()
        let body = ByteStream(length: 4) {
            let rest = Log<Int>()
            return {
                guard rest.values.count < 2 else { return nil }
                rest.add(0)
                chunks.add(0)
                return Data("ab".utf8)
            }
        }
        let session = HTTPSession.to(server, retry: RetryPolicy())
        #expect(try await session.data(for: HTTPRequest(.put, server.url, body: .stream(body))).0.status == 201)
        #expect(server.requests.map(\.body) == [Data("abab".utf8), Data("abab".utf8)])
        #expect(chunks.values.count == 4)
    }

    @Test func refusedHeadLeavesTheStreamUnread() async throws {
        // Without a 100 the body waits; the refusal comes first, and the stream that can be read once is still whole.
        let server = try ScriptedResponder(readsBodies: false) { request in
            request["Expect"] == nil
                ? .reply(500, body: "no Expect") : .reply(401, headers: [("WWW-Authenticate", "Basic")])
        }
        defer { server.stop() }
        let pulls = Log<Int>()
        let body = ByteStream(length: 3 << 20, isReplayable: false) {
            pulls.add(0)
            return { Data(count: 3 << 20) }
        }
        let session = HTTPSession.to(server, credential: .password(user: "u", password: "p"))
        #expect(try await session.data(for: HTTPRequest(.put, server.url, body: .stream(body))).0.status == 401)
        #expect(pulls.values.isEmpty)
    }

    @Test func earlyRefusalEndsTheUpload() async throws {
        let server = try ScriptedResponder(readsBodies: false) { _ in .reply(413, body: "too much") }
        defer { server.stop() }
        let endless = ByteStream(length: nil, isReplayable: false) { { Data(count: 64 << 10) } }
        let (response, _) = try await HTTPSession.to(server).data(
            for: HTTPRequest(.put, server.url, body: .stream(endless)))
        #expect(response.status == 413)
    }

    @Test func slowSourceIsNotAnIdlePeer() async throws {
        let server = try echo()
        defer { server.stop() }
        let left = Log<Int>()
        let body = ByteStream(length: 1, isReplayable: false) {
            {
                guard left.values.isEmpty else { return nil }
                left.add(0)
                try await elapse(3)
                return Data("x".utf8)
            }
        }
        var request = HTTPRequest(.put, server.url, body: .stream(body))
        request.deadlines = HTTPDeadlines(idle: 2, rateWindow: 2)
        #expect(try await HTTPSession.to(server).data(for: request).0.status == 201)
    }

    @Test func aServerAtWorkIsNotAnIdlePeer() async throws {
        let created = "HTTP/1.1 201 Created\r\nContent-Length: 0\r\n\r\n"
        let server = try ScriptedResponder { request in
            // What is asked meanwhile has no credential.
            ScriptedResponder.Script(request["X-Token"] == nil ? [] : [.pause(2)]).then(created)
        }
        defer { server.stop() }
        let session = HTTPSession.to(server) { $0.extraHeaders = ["X-Token": "secret"] }
        func status(
            _ method: HTTPMethod, _ body: Data? = nil, depth: String? = nil, work: TimeInterval = 30
        ) async throws -> Int {
            var request = HTTPRequest(method, server.url)
            request.headers["Depth"] = depth
            if let body { request.body = .bytes(body) }
            request.deadlines = HTTPDeadlines(
                idle: 0.5, work: work, listing: work, minimumRate: 1000, rateWindow: 0.5)
            return try await session.data(for: request).0.status
        }
        for method in [HTTPMethod.copy, .move, .delete, .propfind, .report, .search, .put, .patch] {
            #expect(try await status(method) == 201)
            #expect(try await urlErrorCode { _ = try await status(method, work: 0.5) } == .timedOut)
        }
        #expect(try await status(.propfind, depth: "1") == 201)
        // One item is no work.
        #expect(try await urlErrorCode { _ = try await status(.propfind, depth: "0") } == .timedOut)
        // 50 MB are at work for five seconds.
        #expect(try await status(.post, Data(count: 50_000_000)) == 201)
        #expect(try await urlErrorCode { _ = try await status(.post, Data(count: 1000)) } == .timedOut)
    }

    @Test(arguments: [HTTPMethod.copy, .move, .delete, .put])
    func aServerThatHangsAtItsWorkIsGivenUp(method: HTTPMethod) async throws {
        let server = try ScriptedResponder { _ in ScriptedResponder.Script([.hang]) }
        defer { server.stop() }
        let session = HTTPSession.to(server) { $0.extraHeaders = ["X-Token": "secret"] }
        var request = HTTPRequest(method, server.url.appending(path: "folder/file"))
        request.deadlines = HTTPDeadlines(idle: 0.5, minimumRate: 1000, rateWindow: 0.5)
        if method == .put { request.body = .bytes(Data(count: 60_000_000)) }
        let error = await #expect(throws: URLError.self) { try await session.data(for: request) }
        #expect(error?.code == .timedOut)
        #expect(error?.localizedDescription.contains("nor an answer to other requests") == true)
        let asked = server.requests
        #expect(asked.map(\.method) == [method.rawValue, "OPTIONS", "OPTIONS", "OPTIONS"])
        #expect(Set(asked.map(\.connection)).count == 4)
        #expect(asked.map { $0["X-Token"] } == ["secret", nil, nil, nil])
        #expect(asked.dropFirst().allSatisfy { $0.target == "/" })
    }

    /// A gateway in front of it answers OPTIONS; a COPY is still at work.
    @Test func aServerThatHangsAtListingsIsGivenUp() async throws {
        let server = try ScriptedResponder { request in
            let created = "HTTP/1.1 201 Created\r\nContent-Length: 0\r\n\r\n"
            return switch request.method {
            case "PROPFIND": ScriptedResponder.Script([.hang])
            case "COPY": ScriptedResponder.Script([.pause(5)]).then(created)
            default: ScriptedResponder.Script([]).then(created)
            }
        }
        defer { server.stop() }
        let session = HTTPSession.to(server)
        @Sendable func send(_ method: HTTPMethod, _ name: String) async throws -> Int {
            var request = HTTPRequest(method, server.url.appending(path: name))
            if method == .propfind { request.headers["Depth"] = "1" }
            request.deadlines = HTTPDeadlines(idle: 0.4, minimumRate: 1000, rateWindow: 0.4)
            return try await session.data(for: request).0.status
        }
        let error = await #expect(throws: URLError.self) { _ = try await send(.propfind, "folder/") }
        #expect(error?.code == .timedOut)
        let asked = server.requests
        #expect(asked.map { $0["Depth"] } == ["1", "0", "0", "0"])
        #expect(asked.allSatisfy { $0.method == "PROPFIND" && $0.target == "/folder/" })

        async let copy = send(.copy, "file")
        await #expect(throws: URLError.self) { _ = try await send(.propfind, "folder/") }
        #expect(try await copy == 201)
    }

    /// Nor is it asked again and again, and the others still wait for their turn.
    @Test func aServerThatRefusesToBeAskedIsWaitedFor() async throws {
        let begun = Locked<[ContinuousClock.Instant]>([])
        let server = try ScriptedResponder { request in
            guard request.method == "COPY" else { return ScriptedResponder.Script([.close]) }
            begun.withLock { $0.append(.now) }
            return ScriptedResponder.Script([.pause(2)]).then("HTTP/1.1 201 Created\r\nContent-Length: 0\r\n\r\n")
        }
        defer { server.stop() }
        let session = HTTPSession.to(server) { $0.maximumConnections = 1 }
        try await withThrowingTaskGroup(of: Int.self) { group in
            for number in 1...2 {
                group.addTask {
                    var request = HTTPRequest(.copy, server.url.appending(path: String(number)))
                    request.deadlines = HTTPDeadlines(idle: 0.4, minimumRate: 1000, rateWindow: 0.4)
                    return try await session.data(for: request).0.status
                }
            }
            for try await status in group { #expect(status == 201) }
        }
        let starts = begun.withLock { $0 }
        #expect(starts.count == 2 && starts[1] - starts[0] >= .seconds(2))
        // Each 0.8 s at most, over four.
        #expect((2...8).contains(server.requests.filter { $0.method == "OPTIONS" }.count))
    }

    /// One that does one thing at a time answers nothing else meanwhile, but gets along.
    @Test func aServerThatIsHeardOfIsNotGivenUp() async throws {
        let turn = Locked(0)
        let server = try ScriptedResponder { request in
            if request.method == "OPTIONS" { return ScriptedResponder.Script([.hang]) }
            let number = turn.withLock { turn in
                turn += 1
                return turn
            }
            return ScriptedResponder.Script([.pause(0.4 * Double(number))])
                .then("HTTP/1.1 201 Created\r\nContent-Length: 0\r\n\r\n")
        }
        defer { server.stop() }
        let session = HTTPSession.to(server)
        try await withThrowingTaskGroup(of: Int.self) { group in
            for number in 1...6 {
                group.addTask {
                    var request = HTTPRequest(.move, server.url.appending(path: String(number)))
                    request.deadlines = HTTPDeadlines(idle: 0.8, minimumRate: 1000, rateWindow: 0.8)
                    return try await session.data(for: request).0.status
                }
            }
            for try await status in group { #expect(status == 201) }
        }
    }

    @Test func cancellingEndsAnUpload() async throws {
        let server = try ScriptedResponder(readsBodies: false) { _ in ScriptedResponder.Script([.hang]) }
        defer { server.stop() }
        let started = AsyncStream<Void>.makeStream()
        let endless = ByteStream(length: nil, isReplayable: false) {
            started.continuation.yield()
            return { Data(count: 64 << 10) }
        }
        let session = HTTPSession.to(server)
        let task = Task { try await session.data(for: HTTPRequest(.put, server.url, body: .stream(endless))) }
        for await _ in started.stream { break }
        task.cancel()
        await #expect(throws: CancellationError.self) { _ = try await task.value }
    }

    @Test(arguments: [HTTPMethod.put, .delete])
    func whatCannotBeCalledBackIsAnsweredByTheServer(method: HTTPMethod) async throws {
        let seen = AsyncStream<Void>.makeStream()
        let server = try ScriptedResponder { _ in
            seen.continuation.yield()
            return ScriptedResponder.Script([.pause(0.3)] + ScriptedResponder.Script.reply(201).steps)
        }
        defer { server.stop() }
        let session = HTTPSession.to(server)
        let body: HTTPBody = method == .put ? .bytes(Data("bytes".utf8)) : .none
        let task = Task { try await session.data(for: HTTPRequest(method, server.url, body: body)) }
        for await _ in seen.stream { break }
        task.cancel()
        #expect(try await task.value.0.status == 201)
    }

    @Test func anAnswerThatHasBegunIsHeardOut() async throws {
        let seen = AsyncStream<Void>.makeStream()
        let server = try ScriptedResponder { _ in
            seen.continuation.yield()
            return .head(201, headers: [("Content-Length", "4")]).then(.pause(1)).then(.send(Data("done".utf8)))
        }
        defer { server.stop() }
        let session = HTTPSession.to(server)
        let task = Task { try await session.data(for: HTTPRequest(.delete, server.url)) }
        for await _ in seen.stream { break }
        try await elapse(0.3)
        task.cancel()
        #expect(try await task.value.1 == Data("done".utf8))
    }
}
