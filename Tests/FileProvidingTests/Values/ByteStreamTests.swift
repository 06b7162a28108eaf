import FileProviding
import Foundation
import Testing

@Suite struct ByteStreamTests {
    struct Failure: Error {}

    @Test func dataIsReplayable() async throws {
        let stream = ByteStream(Data("abc".utf8))
        #expect(stream.length == 3 && stream.isReplayable)
        for _ in 0..<2 { #expect(try await stream.collect() == Data("abc".utf8)) }
    }

    @Test func emptyDataHasNoChunks() async throws {
        var chunks = ByteStream(Data()).makeAsyncIterator()
        #expect(try await chunks.next() == nil)
    }

    @Test func endStaysTheEnd() async throws {
        var chunks = ByteStream(Data("abc".utf8)).makeAsyncIterator()
        #expect(try await chunks.next() == Data("abc".utf8))
        for _ in 0..<3 { #expect(try await chunks.next() == nil) }
    }

    @Test func emptyChunksAreSkipped() async throws {
        let stream = ByteStream(
            AsyncStream { continuation in
                for chunk in [Data(), Data("a".utf8), Data(), Data("b".utf8), Data()] { continuation.yield(chunk) }
                continuation.finish()
            })
        var chunks: [Data] = []
        for try await chunk in stream { chunks.append(chunk) }
        #expect(chunks == [Data("a".utf8), Data("b".utf8)])
    }

    @Test func aSequenceIsReadOnce() async throws {
        let stream = ByteStream(AsyncStream { $0.finish() }, length: 0)
        #expect(!stream.isReplayable && stream.length == 0)
        #expect(try await stream.collect() == Data())
        await #expect(throws: CocoaError.self) { try await stream.collect() }
    }

    @Test func aFailureComesAfterTheChunksBefore() async throws {
        let stream = ByteStream(
            AsyncThrowingStream { continuation in
                continuation.yield(Data("a".utf8))
                continuation.finish(throwing: Failure())
            })
        var chunks = stream.makeAsyncIterator()
        #expect(try await chunks.next() == Data("a".utf8))
        await #expect(throws: Failure.self) { try await chunks.next() }
    }

    @Test func openingThatFailsFailsTheFirstChunk() async {
        await #expect(throws: Failure.self) { try await ByteStream(length: 1) { throw Failure() }.collect() }
    }

    @Test(arguments: [-1, .max]) func collectingTrustsNoLength(length: Int64) async throws {
        let chunks = AsyncStream { continuation in
            continuation.yield(Data("abc".utf8))
            continuation.finish()
        }
        let stream = ByteStream(chunks, length: length)
        #expect(try await stream.collect() == Data("abc".utf8))
    }

    @Test func collectingKeepsItsLimit() async throws {
        let stream = ByteStream(Data(count: 10))
        #expect(try await stream.collect(limit: 10).count == 10)
        let error = await #expect(throws: CocoaError.self) { try await stream.collect(limit: 9) }
        #expect(error?.code == .fileReadTooLarge)
    }

    @Test(arguments: [0..<0, 0..<10, 3..<1_000, 999..<1_000, 0..<1_000])
    func aSliceHasTheFilesBytes(range: Range<Int64>) async throws {
        try await withLocalFile(Data((0..<1_000).map { UInt8(truncatingIfNeeded: $0) })) { path, data in
            let slice = ByteStream.LocalFileSlice(file: try LocalFileHandle(reading: path), range: range)
            let stream = ByteStream(slice, chunkSize: 64)
            #expect(stream.length == Int64(range.count) && stream.isReplayable && stream.localFile != nil)
            for _ in 0..<2 {
                #expect(try await stream.collect() == data.subdata(in: Int(range.lowerBound)..<Int(range.upperBound)))
            }
        }
    }

    @Test func aWholeLocalFileIsReadInChunks() async throws {
        try await withLocalFile(Data(count: 1_300_000)) { path, data in
            var sizes: [Int] = []
            for try await chunk in try ByteStream(localFile: path) { sizes.append(chunk.count) }
            #expect(sizes == [524_288, 524_288, 251_424])
        }
    }

    @Test func aMissingLocalFileAndADirectoryAreRefused() throws {
        let missing = #expect(throws: CocoaError.self) { try ByteStream(localFile: LocalPath("/no/such/file")) }
        #expect(missing?.isNoSuchFile == true)
        let directory = #expect(throws: CocoaError.self) { try ByteStream(localFile: LocalPath("/")) }
        #expect(directory?.isADirectory == true)
    }

    private func withLocalFile(_ data: Data, _ body: (LocalPath, Data) async throws -> Void) async throws {
        let url = FileManager.default.temporaryDirectory.appending(path: "stream-\(UUID())")
        try data.write(to: url)
        defer { try? FileManager.default.removeItem(at: url) }
        try await body(LocalPath(url.path(percentEncoded: false)), data)
    }

    @Test func whatIsNotReplayableOpensOnce() async throws {
        let stream = ByteStream(length: nil, isReplayable: false) {
            let rest = Locked<Data?>(Data("bytes".utf8))
            return { rest.withLock { $0.take() } }
        }
        #expect(try await stream.collect() == Data("bytes".utf8))
        await #expect(throws: CocoaError.self) { try await stream.collect() }
    }
}
