import FileProviderTesting
import FileProviding
import Foundation
import HTTPFiles
import Testing

@Suite struct DownloadTests {
    private let bytes = pattern(1_000_000)

    @Test func bytesLandAtTheirPlace() async throws {
        let server = try ScriptedResponder { [bytes] _ in .reply(200, data: bytes) }
        defer { server.stop() }
        let folder = try TemporaryFolder()
        let (file, url) = try folder.file(Data("head".utf8))
        let seen = Log<Int64>()
        let result = try await HTTPSession.to(server).download(
            HTTPRequest(.get, server.url), into: file, at: 4, progress: { seen.add($0) }, accept: { _ in .write() })
        #expect(result.written == 1_000_000)
        #expect(result.refusedBody == nil)
        #expect(try Data(contentsOf: url) == Data("head".utf8) + bytes)
        #expect(seen.values == seen.values.sorted() && seen.values.last == 1_000_000)
    }

    @Test func refusedReplyIsNotWritten() async throws {
        let server = try ScriptedResponder { _ in .reply(404, data: Data(repeating: 65, count: 200_000)) }
        defer { server.stop() }
        let folder = try TemporaryFolder()
        let (file, url) = try folder.file()
        let result = try await HTTPSession.to(server).download(HTTPRequest(.get, server.url), into: file, at: 0) {
            $0.status == 200 ? .write() : .refuse
        }
        #expect(result.response.status == 404)
        #expect(result.written == 0)
        #expect(result.refusedBody == Data(repeating: 65, count: 65_536))
        #expect(try Data(contentsOf: url).isEmpty)
    }

    @Test func acceptMayThrow() async throws {
        let server = try ScriptedResponder { [bytes] _ in .reply(200, data: bytes) }
        defer { server.stop() }
        let (file, _) = try TemporaryFolder().file()
        await #expect(throws: CocoaError(.fileReadCorruptFile)) {
            _ = try await HTTPSession.to(server).download(HTTPRequest(.get, server.url), into: file, at: 0) { _ in
                throw CocoaError(.fileReadCorruptFile)
            }
        }
        #expect(try file.size() == 0)
    }

    @Test(arguments: [(Int64(0), Int64(10)), (1000, 500_000), (999_990, 10), (999_990, 100), (0, 1_000_000)])
    func wholeReplyIsSlicedToTheRange(skipping: Int64, length: Int64) async throws {
        let server = try ScriptedResponder { [bytes] _ in .reply(200, data: bytes) }
        defer { server.stop() }
        let folder = try TemporaryFolder()
        let (file, url) = try folder.file()
        let result = try await HTTPSession.to(server).download(HTTPRequest(.get, server.url), into: file, at: 0) { _ in
            .write(skipping: skipping, length: length)
        }
        let expected = bytes[Int(skipping)..<Int(min(1_000_000, skipping + length))]
        #expect(result.written == Int64(expected.count))
        #expect(try Data(contentsOf: url) == expected)
    }

    @Test func whatArrivedBeforeACutIsReported() async throws {
        let server = try ScriptedResponder { [bytes] _ in .reply(200, data: bytes) }
        defer { server.stop() }
        let proxy = try FaultProxy(to: server.port) { _ in FaultProxy.Faults(toClient: [.cut(after: 400_000)]) }
        defer { proxy.stop() }
        let folder = try TemporaryFolder()
        let (file, url) = try folder.file()
        let seen = Log<Int64>()
        let session = HTTPSession.to(server, retry: RetryPolicy())
        let code = try await urlErrorCode {
            _ = try await session.download(
                HTTPRequest(.get, proxy.url(server.url)), into: file, at: 0, progress: { seen.add($0) },
                accept: { _ in .write() })
        }
        #expect(code == .networkConnectionLost)
        let last = try #require(seen.values.last)
        #expect(last > 390_000)
        #expect(try Data(contentsOf: url) == bytes.prefix(Int(last)))
        #expect(server.requests.count == 1)
    }

    @Test func temporaryRefusalIsWaitedOutBeforeAccept() async throws {
        let server = try ScriptedResponder { [bytes] in
            $0.index == 0 ? .reply(503, body: "later") : .reply(200, data: bytes)
        }
        defer { server.stop() }
        let (file, _) = try TemporaryFolder().file()
        let asked = Log<Int>()
        let result = try await HTTPSession.to(server, retry: RetryPolicy()).download(
            HTTPRequest(.get, server.url), into: file, at: 0
        ) {
            asked.add($0.status)
            return .write()
        }
        #expect(result.written == 1_000_000)
        #expect(asked.values == [200])
    }

    @Test func fullDiskIsAFileError() async throws {
        let server = try ScriptedResponder { [bytes] _ in .reply(200, data: bytes) }
        defer { server.stop() }
        let full = LocalFileHandle(owning: open("/dev/full", O_RDWR | O_CLOEXEC))
        let error = await #expect(throws: CocoaError.self) {
            _ = try await HTTPSession.to(server).download(HTTPRequest(.get, server.url), into: full, at: 0) { _ in
                .write()
            }
        }
        #expect(error?.code == .fileWriteOutOfSpace)
    }
}
