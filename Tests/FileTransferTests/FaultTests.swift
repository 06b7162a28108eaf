import FileProviderTesting
import FileProviders
import Foundation
import TestSupport
import Testing

/// Connections that are cut, slow or lie: everything arrives or is named, and nothing is lost.
@Suite("Faults", .enabled(if: !Place.names.isEmpty, "needs Scripts/test-servers"))
struct FaultTests {
    private let desk: Desk

    init() throws { desk = try Desk() }

    private static let seeds: ClosedRange<UInt64> = Campaign.isFull ? 1...25 : 1...1

    /// Every third connection is hurt, in a way that depends on the seed.
    private static func faults(_ number: Int, _ seed: UInt64) -> FaultProxy.Faults {
        guard number % 3 == 0 else { return FaultProxy.Faults() }
        var random = SeededGenerator(seed: seed << 32 + UInt64(number))
        let place = Int.random(in: 1...60_000, using: &random)
        let ways: [FaultProxy.Faults] = [
            FaultProxy.Faults(toServer: [.cut(after: place)]), FaultProxy.Faults(toClient: [.cut(after: place)]),
            FaultProxy.Faults(toServer: [.reset(after: place)]), FaultProxy.Faults(toClient: [.reset(after: place)]),
            FaultProxy.Faults(toServer: [.trickle(bytesPerSecond: 400_000)], toClient: [.cut(after: place)]),
        ]
        return ways.randomElement(using: &random)!
    }

    @Test("a tree arrives whole over connections that break", arguments: Place.names, Self.seeds)
    func breakingConnections(server: String, seed: UInt64) async throws {
        let place = try await Place(server) { try FaultProxy(to: $0) { Self.faults($0, seed) } }
        for index in 0..<30 { try desk.fill("tree/d\(index % 4)/f\(index)", 1000 + index * 700, seed: UInt64(index)) }
        let there = TransferEndpoint(place.provider, try place.folder.appending("tree"))
        let options = impatient { $0.retries.perFile = 30 }
        try await bring(TransferEndpoint(desk.provider, "tree"), to: there, options)
        try await bring(there, to: TransferEndpoint(desk.provider, "back"), options)
        for index in 0..<30 {
            let (back, sent) = try (
                desk.read("back/d\(index % 4)/f\(index)"), desk.read("tree/d\(index % 4)/f\(index)")
            )
            let place = try Data(contentsOf: place.root.appendingPathComponent("tree/d\(index % 4)/f\(index)"))
            #expect(
                back == sent,
                "f\(index): \(sent.count) bytes sent, \(place.count) there (equal: \(place == sent)), \(back.count) back"
            )
        }
        #expect(try place.strays().isEmpty)
        #expect(try desk.journals().isEmpty)
    }

    /// Copies, again and again as a person would: a look that breaks is an error or named, and the next run finds the
    /// rest.
    private func bring(_ source: TransferEndpoint, to target: TransferEndpoint, _ options: TransferOptions) async throws
    {
        var failures: [any Error] = []
        for _ in 0..<20 {
            do {
                let plan = try await TransferPlan(from: [source], to: target, options: options)
                let report = try await Transfer(plan, in: desk.environment).run()
                if report.isComplete { return }
                failures = report.failures.compactMap(\.error)
            } catch let error as URLError { failures = [error] }
        }
        Issue.record("still failing: \(failures)")
    }

    @Test("a listing over connections that break is whole, and tells nothing twice", arguments: Place.names)
    func brokenListing(server: String) async throws {
        let place = try await Place(server, retry: RetryPolicy(firstPause: 0.01)) { port in
            try FaultProxy(to: port) { number in
                FaultProxy.Faults(toClient: number < 2 ? [.cut(after: 60_000)] : [])
            }
        }
        let names = (0..<1_500).map { "file \($0)" }
        for name in names { try Data().write(to: place.root.appendingPathComponent(name)) }
        var listed: [String] = []
        for try await page in place.provider.listing(path: place.folder.asDirectory) { listed += page.map(\.name) }
        #expect(listed.sorted() == names.sorted())
    }

    @Test("corrupted bytes are found by hash, and only the copy is removed", arguments: Place.names)
    func corruption(server: String) async throws {
        let place = try await Place(server) { port in
            try FaultProxy(to: port) { _ in FaultProxy.Faults(toServer: [.corrupt(at: 60_000)]) }
        }
        try desk.fill("f", 200_000)
        let options = impatient {
            $0.verification = .readback
            $0.conflict = .overwrite
        }
        let there = TransferEndpoint(place.provider, try place.folder.appending("f"))
        let old = Data("the old file".utf8)
        try old.write(to: place.root.appendingPathComponent("f"))
        let plan = try await TransferPlan(from: [TransferEndpoint(desk.provider, "f")], to: there, options: options)
        let report = try await Transfer(plan, in: desk.environment).run()
        #expect(report.failures.count == 1)
        #expect(try desk.read("f").count == 200_000)
        #expect(try place.strays().isEmpty)
        #expect(try Data(contentsOf: place.root.appendingPathComponent("f")) == old)
    }

    @Test("what arrives corrupted is not moved", arguments: Place.names)
    func corruptedMove(server: String) async throws {
        let place = try await Place(server) { port in
            try FaultProxy(to: port) { _ in FaultProxy.Faults(toClient: [.corrupt(at: 100_000)]) }
        }
        let original = Data((0..<200_000).map { UInt8(truncatingIfNeeded: $0 &* 7) })
        try original.write(to: place.root.appendingPathComponent("f"))
        let options = impatient {
            $0.verification = .hash
            $0.removesSources = true
        }
        let here = TransferEndpoint(place.provider, try place.folder.appending("f"))
        let plan = try await TransferPlan(from: [here], to: TransferEndpoint(desk.provider, "f"), options: options)
        let report = try await Transfer(plan, in: desk.environment).run()
        #expect(report.failures.count == 1)
        #expect(try Data(contentsOf: place.root.appendingPathComponent("f")) == original)
        #expect(!FileManager.default.fileExists(atPath: desk.folder.appendingPathComponent("f").path))
    }

    @Test("a local file that changes while it is sent gets no name", arguments: Place.names)
    func sourceChangesWhileSent(server: String) async throws {
        let gate = FaultProxy.Gate()
        let place = try await Place(server, retry: RetryPolicy()) { port in
            try FaultProxy(to: port) { _ in FaultProxy.Faults(toServer: [.hold("PUT ", until: gate)]) }
        }
        // More than fits into the buffers on the way.
        try desk.fill("f", 64 << 20)
        let path: ItemPath = "f"
        let expected = (path: path, version: try await desk.provider.attributesOfItem(path: path).version)
        let file = try await desk.provider.openLocalFile(path: path)
        let slice = ByteStream.LocalFileSlice(file: file, range: 0..<(try file.size()), expected: expected)
        let target = try place.folder.appending("f")
        let writing = Task {
            try await place.provider.write(path: target, from: ByteStream(slice), options: OperationOptions())
        }
        await gate.whenReached()
        try append("more", to: "f")
        gate.open()
        await #expect { try await writing.value } throws: { $0.isItemChanged }
        let names = try FileManager.default.contentsOfDirectory(atPath: place.root.path)
        #expect(!names.contains("f"))
        #expect(try place.strays() == [])
    }

    @Test("a local file that changes once it was listed replaces nothing", arguments: [1 << 20, 12 << 20])
    func sourceChangesWhenListed(size: Int) async throws {
        let server = try #require(Place.names.first)
        let place = try await Place(server)
        for name in ["a", "f"] { try desk.fill("tree/\(name)", size) }
        // Files go in the order in which the folder lists them.
        let second = try #require(try await desk.provider.contentsOfDirectory(path: "tree").last?.name)
        let old = Data("the old file".utf8)
        let target = place.root.appendingPathComponent(second)
        try old.write(to: target)
        let options = impatient {
            $0.conflict = .overwrite
            $0.filesPerSecond = 1
        }
        let plan = try await TransferPlan(
            from: [TransferEndpoint(desk.provider, "tree")], to: TransferEndpoint(place.provider, place.folder),
            options: options)
        // Between the first file and the second, both are listed.
        let clock = SteppingClock()
        let transfer = Transfer(plan, in: TransferEnvironment(journals: desk.environment.journals, clock: clock))
        async let report = transfer.run()
        await clock.untilAsleep()
        try append("more", to: "tree/\(second)")
        for _ in 0..<10 { clock.step() }
        let failures = try await report.failures
        #expect(failures.count == 1 && failures.allSatisfy { $0.error?.isItemChanged == true }, "\(failures)")
        #expect(try Data(contentsOf: target) == old)
        #expect(try place.strays().isEmpty)
        #expect(try await Transfer(plan, in: desk.environment).run().isComplete)
        #expect(try Data(contentsOf: target) == desk.read("tree/\(second)"))
    }

    private func append(_ text: String, to name: String) throws {
        let handle = try FileHandle(forWritingTo: desk.folder.appendingPathComponent(name))
        try handle.seekToEnd()
        try handle.write(contentsOf: Data(text.utf8))
        try handle.close()
    }

    @Test("what broke while it was read back is made sure of in the next run", arguments: Place.names, [2, 10])
    func brokenReadback(server: String, megabytes: Int) async throws {
        let reading = try await BrokenReading(server, desk, bytes: megabytes << 20)
        #expect(try await Transfer(reading.plan, in: desk.environment).run().failures.count == 1)
        reading.isBroken.withLock { $0 = false }
        let report = try await Transfer(reading.plan, in: desk.environment).run()
        #expect(report.isComplete, "\(report.failures)")
        try reading.expectReplaced()
    }

    @Test("a repeated attempt leaves no name of the first one", arguments: Place.names)
    func repeatedReadback(server: String) async throws {
        let reading = try await BrokenReading(server, desk, bytes: 2 << 20)
        let clock = SteppingClock()
        let environment = TransferEnvironment(journals: desk.environment.journals, clock: clock)
        let transfer = Transfer(reading.plan, in: environment)
        async let report = transfer.run()
        // The first attempt broke.
        await clock.untilAsleep()
        reading.isBroken.withLock { $0 = false }
        for _ in 0..<10 { clock.step() }
        #expect(try await report.isComplete)
        try reading.expectReplaced()
    }

    @Test("an overwrite that fails leaves the old file: full disk", arguments: Place.names)
    func fullDisk(server: String) async throws {
        let place = try await Place(server, isSmall: true)
        let old = Data("the old file".utf8)
        try old.write(to: place.root.appendingPathComponent("f"))
        try desk.fill("f", 40 << 20)
        let there = TransferEndpoint(place.provider, try place.folder.appending("f"))
        let plan = try await TransferPlan(
            from: [TransferEndpoint(desk.provider, "f")], to: there, options: impatient { $0.conflict = .overwrite })
        let report = try await Transfer(plan).run()
        #expect(report.failures.count == 1)
        #expect(try Data(contentsOf: place.root.appendingPathComponent("f")) == old)
        #expect(try place.strays().isEmpty)
    }

    @Test("an overwrite that fails leaves the old file: cut connection", arguments: Place.names)
    func cutOverwrite(server: String) async throws {
        let place = try await Place(server) { port in
            try FaultProxy(to: port) { _ in FaultProxy.Faults(toServer: [.cut(after: 300_000)]) }
        }
        let old = Data("the old file".utf8)
        try old.write(to: place.root.appendingPathComponent("f"))
        try desk.fill("f", 2 << 20)
        let there = TransferEndpoint(place.provider, try place.folder.appending("f"))
        let plan = try await TransferPlan(
            from: [TransferEndpoint(desk.provider, "f")], to: there,
            options: impatient {
                $0.conflict = .overwrite
                $0.retries.perFile = 1
            })
        let report = try await Transfer(plan).run()
        #expect(report.failures.count == 1)
        #expect(try Data(contentsOf: place.root.appendingPathComponent("f")) == old)
    }
}

/// A file that replaces another and is read back, over connections that break behind a mebibyte of replies.
private struct BrokenReading {
    let place: Place
    let plan: TransferPlan
    let isBroken: Locked<Bool>
    private let data: Data

    init(_ server: String, _ desk: Desk, bytes: Int) async throws {
        let isBroken = Locked(true)
        place = try await Place(server) { port in
            try FaultProxy(to: port) { _ in
                isBroken.withLock { $0 } ? FaultProxy.Faults(toClient: [.cut(after: 1 << 20)]) : FaultProxy.Faults()
            }
        }
        self.isBroken = isBroken
        data = try desk.fill("f", bytes)
        try Data("old".utf8).write(to: place.root.appendingPathComponent("f"))
        let options = impatient {
            $0.conflict = .overwrite
            $0.verification = .readback
        }
        plan = try await TransferPlan(
            from: [TransferEndpoint(desk.provider, "f")],
            to: TransferEndpoint(place.provider, try place.folder.appending("f")), options: options)
    }

    func expectReplaced() throws {
        #expect(try Data(contentsOf: place.root.appendingPathComponent("f")) == data)
        #expect(try place.strays().isEmpty)
    }
}
