import FileProviderTesting
import FileProviding
import Foundation
import HTTPFiles
import Testing

/// What the base takes for a file's contents, and what for a refusal.
@Suite struct ProviderReadingTests {
    private func expecting(size: Int64) -> OperationContext {
        OperationContext(options: OperationOptions(expecting: FileVersion(size: size)))
    }

    /// Some refuse what reaches beyond the end although it begins before it, and tell no size.
    @Test(arguments: [(ByteRange.range(5..<105), " world"), (ByteRange.from(11), "")])
    func aRangeThatIsRefusedWithoutASizeIsCutOutOfTheFile(range: ByteRange, text: String) async throws {
        let server = try ScriptedResponder { $0["Range"] == nil ? .reply(200, body: "hello world") : .reply(416) }
        defer { server.stop() }
        let provider = PlainProvider(server)
        #expect(try await provider.read(path: "f", range: range).collect() == Data(text.utf8))
        let folder = try TemporaryFolder()
        let (file, url) = try folder.file()
        let head = try await provider.read(path: "f", range: range, into: file, at: 0, in: OperationContext())
        #expect(head.length == Int64(text.utf8.count))
        #expect(try Data(contentsOf: url) == Data(text.utf8))
    }

    /// It ignores ranges and sends pieces.
    @Test func theEndOfAFileIsFoundByTheSizeThatItsAttributesTell() async throws {
        let server = try ScriptedResponder { request in
            guard request.method == "GET" else { return .head(200, headers: [("Content-Length", "11")]) }
            return .raw("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nb\r\nhello world\r\n0\r\n\r\n")
        }
        defer { server.stop() }
        let provider = PlainProvider(server)
        #expect(try await provider.read(path: "f", range: .last(5)).collect() == Data("world".utf8))
        let folder = try TemporaryFolder()
        let (file, url) = try folder.file()
        let head = try await provider.read(path: "f", range: .last(5), into: file, at: 0, in: OperationContext())
        #expect(head.length == 5 && head.offset == 6)
        #expect(try Data(contentsOf: url) == Data("world".utf8))
    }

    @Test func aTimeIsAsPreciseAsTheProviderReadsIt() async throws {
        let time = FileTime(nanoseconds: 1_500_000_000_123_000_000)
        let server = try ScriptedResponder { _ in
            .reply(
                200,
                headers: [
                    ("X-Nanoseconds", "\(time.nanoseconds)"), ("Last-Modified", "Fri, 14 Jul 2017 02:40:00 GMT"),
                ],
                body: "hello")
        }
        defer { server.stop() }
        let provider = PlainProvider(server)
        #expect(try await provider.read(path: "f").head.version.modificationTime == time)
        let (file, _) = try TemporaryFolder().file()
        let head = try await provider.read(path: "f", range: .all, into: file, at: 0, in: OperationContext())
        #expect(head.version.modificationTime == time)
    }

    @Test func aRefusedRangeIsJudgedByTheSizeThatIsExpected() async throws {
        let server = try ScriptedResponder { _ in .reply(416) }
        defer { server.stop() }
        let context = expecting(size: 11)
        #expect(try await PlainProvider(server).read(path: "f", range: .from(11), in: context).collect().isEmpty)
        #expect(server.requests.count == 1)
    }

    @Test(arguments: [ByteRange.all, .from(2)])
    func aFileThatIsRefusedIsNotAnEmptyOne(range: ByteRange) async throws {
        let server = try ScriptedResponder { _ in .reply(416) }
        defer { server.stop() }
        let provider = PlainProvider(server)
        let (file, _) = try TemporaryFolder().file()
        let reads: [@Sendable () async throws -> Void] = [
            { _ = try await provider.read(path: "f", range: range) },
            { _ = try await provider.read(path: "f", range: range, into: file, at: 0, in: OperationContext()) },
        ]
        for read in reads {
            await #expect {
                try await read()
            } throws: {
                ($0 as? PlainError)?.statusCode == 416
            }
        }
    }

    /// A size below zero is none, and parts in MIME framing or no bytes at all are not the range that was asked for.
    @Test(arguments: [
        ScriptedResponder.Script.reply(416, headers: [("Content-Range", "bytes */-5")]),
        .reply(
            206, headers: [("Content-Type", "multipart/byteranges; boundary=b"), ("Content-Range", "bytes 5-7/11")],
            body: "--b"),
        .reply(206),
    ])
    func aReplyThatDoesNotAnswerARangeIsNotItsBytes(reply: ScriptedResponder.Script) async throws {
        let server = try ScriptedResponder { $0["Range"] == nil ? .reply(200, body: "hello world") : reply }
        defer { server.stop() }
        let provider = PlainProvider(server)
        #expect(try await provider.read(path: "f", range: .range(5..<8)).collect() == Data(" wo".utf8))
        let folder = try TemporaryFolder()
        let (file, url) = try folder.file()
        _ = try await provider.read(path: "f", range: .range(5..<8), into: file, at: 0, in: OperationContext())
        #expect(try Data(contentsOf: url) == Data(" wo".utf8))
    }

    /// An encoding that was not asked for is an error, unless the file itself is what the server calls encoded.
    @Test(arguments: [Int64(5), 1_000])
    func anEncodedReplyIsTheFileOnlyWithItsSize(size: Int64) async throws {
        let server = try ScriptedResponder { request in
            request.method == "HEAD"
                ? .head(200, headers: [("Content-Length", "\(size)")])
                : .reply(200, headers: [("Content-Encoding", "gzip")], body: "12345")
        }
        defer { server.stop() }
        let provider = PlainProvider(server)
        let (file, _) = try TemporaryFolder().file()
        if size == 5 {
            #expect(try await provider.read(path: "f").collect() == Data("12345".utf8))
            let head = try await provider.read(path: "f", range: .all, into: file, at: 0, in: OperationContext())
            #expect(head.length == 5)
        } else {
            for read in [
                { _ = try await provider.read(path: "f").collect() },
                { _ = try await provider.read(path: "f", range: .all, into: file, at: 0, in: OperationContext()) },
            ] as [() async throws -> Void] {
                await #expect {
                    try await read()
                } throws: {
                    ($0 as? CocoaError)?.code == .fileReadCorruptFile
                }
            }
        }
        #expect(server.requests.filter { $0.method == "GET" }.allSatisfy { $0["Accept-Encoding"] == "identity" })
    }

    @Test(arguments: [202, 203, 207])
    func aSuccessWithoutContentsIsNoFile(status: Int) async throws {
        let server = try ScriptedResponder { _ in .reply(status, body: "later") }
        defer { server.stop() }
        await #expect {
            try await PlainProvider(server).read(path: "f")
        } throws: {
            ($0 as? PlainError)?.statusCode == status
        }
    }

    /// A body that ends with its connection may have been cut, and one of a file that has grown is another file's.
    @Test(arguments: [Int64(3), 5, 11])
    func aBodyWithoutALengthIsAsLongAsTheFile(size: Int64) async throws {
        let server = try ScriptedResponder { _ in .head(200).then("hello").then(.close) }
        defer { server.stop() }
        let provider = PlainProvider(server)
        let streamed = try? await provider.read(path: "f", range: .all, in: expecting(size: size)).collect()
        #expect(streamed == (size == 5 ? Data("hello".utf8) : nil))
        let (file, _) = try TemporaryFolder().file()
        let written = try? await provider.read(path: "f", range: .all, into: file, at: 0, in: expecting(size: size))
        #expect(written?.length == (size == 5 ? 5 : nil))
    }

    @Test func ofALongRefusalTheBeginningIsRead() async throws {
        let server = try ScriptedResponder { _ in .reply(418, body: String(repeating: "x", count: 100_000)) }
        defer { server.stop() }
        let provider = PlainProvider(server)
        let questions: [@Sendable () async throws -> Void] = [
            { _ = try await provider.read(path: "f") }, { _ = try await provider.contentsOfDirectory(path: "d") },
        ]
        for ask in questions {
            await #expect {
                try await ask()
            } throws: {
                ($0 as? PlainError)?.data == Data(repeating: UInt8(ascii: "x"), count: 65_536)
            }
        }
    }

    @Test func whoHasCancelledIsToldOfNoRefusal() async throws {
        let seen = AsyncStream<Void>.makeStream()
        let server = try ScriptedResponder { _ in
            seen.continuation.yield()
            return .head(418, headers: [("Content-Length", "10")]).then("half").then(.hang)
        }
        defer { server.stop() }
        let provider = PlainProvider(server)
        let reading = Task { try await provider.read(path: "f") }
        for await _ in seen.stream { break }
        try await elapse(0.3)
        reading.cancel()
        await #expect(throws: CancellationError.self) { _ = try await reading.value }
    }
}
