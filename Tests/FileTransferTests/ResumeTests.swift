import FileProviderTesting
import FileProviders
import Foundation
import Testing

@testable import FileTransfer

/// A transfer that breaks, and the next one of the same plan.
@Suite("Continuing", .enabled(if: !Place.names.isEmpty, "needs Scripts/test-servers"))
struct ResumeTests {
    private static let size = 24 << 20
    private let desk: Desk

    init() throws { desk = try Desk() }

    /// The first connection may lose what it carried; from then on every one adds to what is there.
    @Test("a file of some megabytes is continued once it has broken off", arguments: [true, false])
    func lesserFile(isUpload: Bool) async throws {
        let breaking = try await BreakingPlace(isUpload ? "SABRE" : "APACHE", isUpload: isUpload, after: 3 << 19)
        let plan = try await lesserPlan(breaking.place, 5 << 20, isUpload: isUpload, retries: 6)
        let report = try await Transfer(plan, in: desk.environment).run()
        #expect(report.isComplete, "\(report.failures)")
        try expectLesserFile(at: breaking.place, isUpload: isUpload)
    }

    @Test("what a lesser file left when a run gave up is continued by the next one", arguments: [true, false])
    func lesserFileOfTwoRuns(isUpload: Bool) async throws {
        let breaking = try await BreakingPlace(isUpload ? "SABRE" : "APACHE", isUpload: isUpload, after: 200_000)
        let plan = try await lesserPlan(breaking.place, 3 << 20, isUpload: isUpload, retries: 3)
        #expect(try await !Transfer(plan, in: desk.environment).run().isComplete)
        #expect(try (isUpload ? breaking.place.strays() : desk.strays()).count == 1)
        breaking.heal()
        #expect(try await Transfer(plan, in: desk.environment).run().isComplete)
        try expectLesserFile(at: breaking.place, isUpload: isUpload)
    }

    /// A plan for a file of so many bytes, which is at both ends under the name `source`.
    private func lesserPlan(_ place: Place, _ size: Int, isUpload: Bool, retries: Int) async throws -> TransferPlan {
        try desk.fill("source", size)
        try FileManager.default.copyItem(
            at: desk.folder.appendingPathComponent("source"), to: place.root.appendingPathComponent("source"))
        let there = TransferEndpoint(place.provider, try place.folder.appending(isUpload ? "up" : "source"))
        let here = TransferEndpoint(desk.provider, isUpload ? "source" : "down")
        return try await TransferPlan(
            from: [isUpload ? here : there], to: isUpload ? there : here,
            options: impatient { $0.retries.perFile = retries })
    }

    private func expectLesserFile(at place: Place, isUpload: Bool) throws {
        let copy = isUpload ? try Data(contentsOf: place.root.appendingPathComponent("up")) : try desk.read("down")
        #expect(try copy == desk.read("source"))
        #expect(try place.strays().isEmpty && desk.strays().isEmpty && desk.journals().isEmpty)
    }

    @MainActor @Test("the observer of a run runs where the caller is", .enabled(if: Place.names.contains("APACHE")))
    func observer() async throws {
        try desk.fill("source", 100)
        let plan = try await TransferPlan(
            from: [TransferEndpoint(desk.provider, "source")], to: TransferEndpoint(desk.provider, "copy"))
        var count = 0
        let report = try await Transfer(plan, in: desk.environment).run { _ in
            MainActor.assertIsolated()
            count += 1
        }
        #expect(report.isComplete && count > 0)
    }

    private func plan(_ source: TransferEndpoint, _ target: TransferEndpoint) async throws -> TransferPlan {
        try await TransferPlan(from: [source], to: target, options: impatient { $0.retries.perFile = 0 })
    }

    /// How much a connection carries before it breaks. The parts of an upload may go over two.
    private static func limit(isUpload: Bool) -> Int { isUpload ? 10 << 20 : size - (6 << 20) }

    /// Breaks the first connection that carries much of the file, runs twice, and returns the second run's receipt.
    private func broken(isUpload: Bool, server: String, between: (Place) throws -> Void = { _ in }) async throws
        -> (Place, TransferReceipt)
    {
        let breaking = try await BreakingPlace(server, isUpload: isUpload, after: Self.limit(isUpload: isUpload))
        let place = breaking.place
        let there = TransferEndpoint(place.provider, try place.folder.appending("f"))
        let here = TransferEndpoint(desk.provider, "f")
        if isUpload { try desk.fill("f", Self.size) } else { try desk.fill("source", Self.size) }
        if !isUpload {
            try FileManager.default.copyItem(
                at: desk.folder.appendingPathComponent("source"), to: place.root.appendingPathComponent("f"))
        }
        let ends = isUpload ? (here, there) : (there, here)
        let first = try await Transfer(plan(ends.0, ends.1), in: desk.environment).run()
        #expect(!first.isComplete)
        #expect(try desk.journals().count == 1)
        breaking.heal()
        try between(place)
        var receipt: TransferReceipt?
        let second = try await Transfer(plan(ends.0, ends.1), in: desk.environment).run { event in
            if case .ended(let ended) = event { receipt = ended }
        }
        #expect(second.isComplete, "\(second.failures)")
        #expect(try desk.journals().isEmpty)
        #expect(try place.strays().isEmpty)
        #expect(try desk.read("f") == Data(contentsOf: place.root.appendingPathComponent("f")))
        return (place, try #require(receipt))
    }

    @Test("an upload goes on where it broke", arguments: Place.names.filter { ["APACHE", "SABRE"].contains($0) })
    func upload(server: String) async throws {
        let (_, receipt) = try await broken(isUpload: true, server: server)
        // At most 8 MiB are sent again.
        #expect(receipt.resumedAt >= Int64(Self.limit(isUpload: true)) - 8 << 20)
        #expect(receipt.bytes == Int64(Self.size) - receipt.resumedAt)
    }

    @Test("a download goes on where it broke", arguments: Place.names)
    func download(server: String) async throws {
        let (_, receipt) = try await broken(isUpload: false, server: server)
        #expect(receipt.resumedAt >= 8 << 20)
    }

    @Test("a source that changed meanwhile is copied from its first byte")
    func changedSource() async throws {
        let (_, receipt) = try await broken(isUpload: true, server: "APACHE") { _ in
            try desk.fill("f", Self.size, seed: 2)
        }
        #expect(receipt.resumedAt == 0)
    }

    @Test("a source that was replaced by a file of its size and time is copied from its first byte")
    func replacedSource() async throws {
        let (_, receipt) = try await broken(isUpload: true, server: "APACHE") { _ in
            let file = desk.folder.appendingPathComponent("f")
            let time = try #require(try LocalFileHandle(reading: LocalPath(file.path)).version().modificationTime)
            try desk.fill("f", Self.size, seed: 2)
            let (seconds, rest) = time.nanoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
            let stamp = timespec(tv_sec: Int(seconds), tv_nsec: Int(rest))
            try #require(utimensat(AT_FDCWD, file.path, [stamp, stamp], 0) == 0)
        }
        #expect(receipt.resumedAt == 0)
    }

    @Test("what has arrived is not read again, though it would be replaced: a small local file shows that it has")
    func finishedFiles() async throws {
        let isBroken = Locked(true)
        let reads = Locked<[ItemPath]>([])
        let source = HookedProvider(beforeReading: { path in
            if path == "tree/3", isBroken.withLock({ $0 }) { throw URLError(.networkConnectionLost) }
            reads.withLock { $0.append(path) }
        })
        for number in 0..<6 {
            try await source.base.write(
                path: ItemPath(validating: "tree/\(number)"), from: ByteStream(Data("file \(number)".utf8)),
                options: OperationOptions(createsParents: true))
        }
        func run() async throws -> TransferReport {
            let plan = try await TransferPlan(
                from: [TransferEndpoint(source, "tree/")], to: TransferEndpoint(desk.provider, "copy"),
                options: impatient {
                    $0.conflict = .overwrite
                    $0.retries.perFile = 0
                })
            return try await Transfer(plan, in: desk.environment).run()
        }
        let first = try await run()
        #expect(first.copied == 5)
        let journal = try #require(try desk.journals().first)
        let text = try desk.read("journals/\(journal.id).journal")
        #expect(!text.split(separator: UInt8(ascii: "\n")).contains { $0.first == UInt8(ascii: "d") })
        isBroken.withLock { $0 = false }
        let second = try await run()
        #expect(second.isComplete && second.copied == 1 && second.unchanged == 5)
        #expect(reads.withLock { $0 }.count == 6)
    }

    @Test("a run at the same time is refused, and the journal is private")
    func locked() async throws {
        for name in ["tree/a", "tree/b"] { try desk.fill(name, 100) }
        let plan = try await TransferPlan(
            from: [TransferEndpoint(desk.provider, "tree/")], to: TransferEndpoint(MemoryFileProvider(), "/"),
            options: impatient { $0.filesPerSecond = 1 })
        // The first run sleeps before its second file, until it is let go on.
        let clock = SteppingClock()
        let first = Transfer(plan, in: TransferEnvironment(journals: desk.environment.journals, clock: clock))
        async let report = first.report
        await clock.untilAsleep()
        let journal = try #require(try desk.journals().first)
        #expect(journal.isRunning)
        let path = desk.folder.appendingPathComponent("journals/\(journal.id).journal").path
        let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
        #expect(mode == 0o600)
        await #expect {
            try await Transfer(plan, in: desk.environment).report
        } throws: { ($0 as? CocoaError)?.code == .fileLocking }
        for _ in 0..<10 { clock.step() }
        #expect(try await report.isComplete)
    }

    @Test("a folder's move is remembered while anything stays behind", arguments: ["pipe", "unreadable"])
    func unfinishedMove(reason: String) async throws {
        let source = desk.folder.appendingPathComponent("s").path
        if reason == "pipe" {
            try desk.fill("s/a", 10)
            #expect(mkfifo(source + "/pipe", 0o600) == 0)
        }
        let hooked = HookedProvider(beforeListing: { _ in throw CocoaError(.fileReadNoPermission) })
        try await hooked.base.createDirectory(path: "s")
        let end = reason == "pipe" ? TransferEndpoint(desk.provider, "s") : TransferEndpoint(hooked, "s")
        let plan = try await TransferPlan(
            from: [end], to: TransferEndpoint(MemoryFileProvider(), "t"),
            options: impatient { $0.removesSources = true })
        _ = try await Transfer(plan, in: desk.environment).run()
        #expect(try desk.environment.journals?.isUnfinished(plan) == true)
        // Until the caller has removed the folders.
        try await Transfer.discard(plan, in: desk.environment)
        #expect(try desk.journals().isEmpty)
    }

    @Test("a journal that a crash left empty is begun anew")
    func emptyJournal() async throws {
        try desk.fill("s", 10)
        let plan = try await TransferPlan(
            from: [TransferEndpoint(desk.provider, "s")], to: TransferEndpoint(desk.provider, "t"),
            options: TransferOptions())
        let identity = try JobIdentity(plan)
        try desk.fill("journals/\(identity.name).journal", 0)
        #expect(try desk.journals().isEmpty)
        let journal = try TransferJournal(identity, in: desk.environment.journals)
        try journal.begin()
        #expect(try desk.journals().map(\.id) == [identity.name])
        try journal.close(keeping: false)
    }

    @Test("a journal that stays is free when its run ends, whoever still has it")
    func released() async throws {
        let plan = try await smallPlan()
        let journals = desk.environment.journals
        let first = try TransferJournal(JobIdentity(plan), in: journals)
        try first.begin()
        #expect(throws: CocoaError.self) { try TransferJournal(JobIdentity(plan), in: journals) }
        try first.close(keeping: true)
        try TransferJournal(JobIdentity(plan), in: journals).close(keeping: false)
        withExtendedLifetime(first) {}
    }

    @Test("the same command on two machines uses other temporary names, and each finds its own again")
    func temporaryNames() async throws {
        let plan = try await smallPlan()
        let other = try Desk()
        let names = try [desk, other].map { desk in
            let journal = try TransferJournal(JobIdentity(plan), in: desk.environment.journals)
            try journal.begin()
            defer { try? journal.close(keeping: true) }
            return journal.series(for: "f").next()
        }
        #expect(names[0] != names[1])
        for (desk, name) in zip([desk, other], names) {
            let journal = try TransferJournal(JobIdentity(plan), in: desk.environment.journals)
            #expect(journal.series(for: "f").names == [name])
        }
    }

    @Test("a journal of an earlier version, without a number, knows its files")
    func journalWithoutNumber() async throws {
        let plan = try await smallPlan()
        let (identity, version) = (try JobIdentity(plan), FileVersion(size: 1))
        let journals = try #require(desk.environment.journals)
        let file = try journals.create(identity)
        try file.append(UInt8(ascii: "d"), Data(String(identity.key(of: "f", version), radix: 16).utf8))
        file.release()
        let journal = try TransferJournal(identity, in: journals)
        #expect(journal.finished("f", version) != nil && journal.finished("g", version) == nil)
        #expect(journal.series(for: "f").next() == TemporaryName.Series(key: { identity.key(of: "f") }).next())
    }

    private func smallPlan() async throws -> TransferPlan {
        try desk.fill("f", 1)
        return try await TransferPlan(
            from: [TransferEndpoint(desk.provider, "f")], to: TransferEndpoint(MemoryFileProvider(), "f"))
    }

    @Test("discarding takes away what was sent")
    func discard() async throws {
        let place = try await Place("APACHE") { port in
            try FaultProxy(to: port) { number in
                number < 2 ? FaultProxy.Faults(toServer: [.cut(after: 10 << 20)]) : FaultProxy.Faults()
            }
        }
        try desk.fill("f", Self.size)
        let plan = try await plan(
            TransferEndpoint(desk.provider, "f"), TransferEndpoint(place.provider, place.folder.appending("f")))
        #expect(try await !Transfer(plan, in: desk.environment).report.isComplete)
        #expect(try !place.strays().isEmpty)
        try await Transfer.discard(plan, in: desk.environment)
        #expect(try place.strays().isEmpty)
        #expect(try desk.journals().isEmpty)
    }
}

/// A server whose connections break behind so many bytes of uploads or of downloads, until it is healed.
private struct BreakingPlace {
    let place: Place
    private let proxy: FaultProxy
    private let isHurt: Locked<Bool>

    init(_ server: String, isUpload: Bool, after limit: Int) async throws {
        let (isHurt, made) = (Locked(true), Locked<FaultProxy?>(nil))
        place = try await Place(server) { port in
            let proxy = try FaultProxy(to: port) { _ in
                guard isHurt.withLock({ $0 }) else { return FaultProxy.Faults() }
                let cut = [FaultProxy.Fault.cut(after: limit)]
                return isUpload ? FaultProxy.Faults(toServer: cut) : FaultProxy.Faults(toClient: cut)
            }
            made.withLock { $0 = proxy }
            return proxy
        }
        proxy = try #require(made.withLock { $0 })
        self.isHurt = isHurt
    }

    /// Breaks nothing from here on; what is kept open was made before, and is cut.
    func heal() {
        isHurt.withLock { $0 = false }
        proxy.cutConnections()
    }
}
