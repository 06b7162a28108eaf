import FileProviderTesting
import FileProviders
import Foundation
import Testing

@Suite("Limits") struct LimitTests {
    private let source = MemoryFileProvider()
    private let target = MemoryFileProvider()

    /// Copies everything, and returns the time that it took on a clock on which only waiting takes time.
    private func time(_ adjust: (inout TransferOptions) -> Void) async throws -> Duration {
        let clock = SteppingClock()
        let start = clock.now
        for _ in 0..<10_000 { clock.step() }
        var options = TransferOptions()
        options.recursive = true
        adjust(&options)
        let plan = try await TransferPlan(
            from: [TransferEndpoint(source, "/")], to: TransferEndpoint(target, "/"), options: options)
        let report = try await Transfer(plan, in: TransferEnvironment(clock: clock)).run()
        #expect(report.isComplete, "\(report.failures)")
        return start.duration(to: clock.now)
    }

    @Test("so many files begin in a second, and no more")
    func filesPerSecond() async throws {
        for number in 0..<31 {
            try await source.writeContents(path: ItemPath(validating: "/\(number)"), contents: Data())
        }
        #expect(try await time { $0.filesPerSecond = 10 } == .seconds(3))
    }

    @Test("all files together are read no faster than the bandwidth")
    func bandwidth() async throws {
        let size = 4 << 20
        for name in ["a", "b"] {
            try await source.writeContents(path: ItemPath(validating: "/\(name)"), contents: Data(count: size))
        }
        let passed = try await time { $0.bytesPerSecond = Int64(1 << 20) }
        // What was read last need not be waited for: a chunk of at most a megabyte from each file.
        #expect(passed > .seconds(5) && passed <= .seconds(8), "\(passed)")
        #expect(try await target.attributesOfItem(path: "b").size == Int64(size))
    }
}
