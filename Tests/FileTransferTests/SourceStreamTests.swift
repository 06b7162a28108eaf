import FileProviders
import Foundation
import Testing

@testable import FileTransfer

@Suite("Limited streams") struct SourceStreamTests {
    /// A long piece of one would keep the others waiting: servers give up a request whose body does not begin.
    @Test("what is slowed down comes in short pieces")
    func pieces() async throws {
        let provider = MemoryFileProvider()
        let data = Data((0..<200_000).map { UInt8(truncatingIfNeeded: $0) })
        try await provider.writeContents(path: "f", contents: data)
        let limiter = RateLimiter(perSecond: 100_000_000, clock: ContinuousClock())
        for bandwidth in [RateLimiter(perSecond: 100_000, clock: AlwaysLater()), limiter] {
            let source = SourceStream(
                source: TransferEndpoint(provider, "f"), item: try await provider.attributesOfItem(path: "f"),
                hasher: nil, bandwidth: bandwidth)
            var pieces: [Data] = []
            for try await piece in source.stream() { pieces.append(piece) }
            #expect(pieces.reduce(Data(), +) == data)
            #expect(pieces.allSatisfy { $0.count <= (bandwidth === limiter ? 524_288 : 16_384) })
        }
    }

    /// A clock on which nobody waits.
    private struct AlwaysLater: Clock {
        var now: ContinuousClock.Instant { .now }
        var minimumResolution: Duration { .zero }
        func sleep(until deadline: ContinuousClock.Instant, tolerance: Duration?) async throws {}
    }
}
