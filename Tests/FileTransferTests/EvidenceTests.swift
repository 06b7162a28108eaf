import FileProviders
import Foundation
import Testing

@testable import FileTransfer

/// What proves that a file has already been copied, and what does not.
@Suite("Evidence") struct EvidenceTests {
    private let desk: Desk

    init() throws { desk = try Desk() }

    @Test(
        "a file whose upload reply was lost is compared and kept",
        arguments: [TransferOptions.Verification.hash, .readback, .automatic])
    func lostReply(verification: TransferOptions.Verification) async throws {
        let target = HookedProvider { count in
            if count == 1 { throw URLError(.networkConnectionLost) }
        }
        let bytes = try desk.fill("s", 1000)
        let plan = try await TransferPlan(
            from: [TransferEndpoint(desk.provider, "s")], to: TransferEndpoint(target, "t"),
            options: impatient { $0.verification = verification })
        var assurance: Assurance?
        let report = try await Transfer(plan).run { event in
            if case .ended(let receipt) = event { assurance = receipt.assurance }
        }
        #expect(report.isComplete, "\(report.failures.compactMap(\.error))")
        #expect(assurance == .readback)
        #expect(try await target.base.contents(path: "t") == bytes)
    }

    @Test("a hasher is complete when all bytes have passed")
    func hasher() {
        let hasher = StreamHasher(.sha256)
        #expect(!hasher.isComplete(of: 3) && !hasher.isComplete(of: 0) && !hasher.isComplete(of: nil))
        hasher.begin(at: 0)
        #expect(hasher.isComplete(of: 0) && !hasher.isComplete(of: 3))
        hasher.update(Data("abc".utf8))
        #expect(hasher.isComplete(of: 3) && hasher.isComplete(of: nil))
        hasher.begin(at: 1)
        hasher.update(Data("bc".utf8))
        #expect(!hasher.isComplete(of: 3))
    }

    @Test("links with the same target are the same, whatever their times", arguments: [true, false])
    func links(isSame: Bool) async throws {
        for (folder, target) in [("s", "aa"), ("d", isSame ? "aa" : "bb")] {
            let folder = desk.folder.appendingPathComponent(folder)
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            let path = folder.appendingPathComponent("l").path
            try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: target)
            let seconds = isSame && target == "aa" && folder.lastPathComponent == "d" ? 1_000_000_100 : 1_000_000_000
            let times = [timespec](repeating: timespec(tv_sec: seconds, tv_nsec: 0), count: 2)
            #expect(utimensat(AT_FDCWD, path, times, AT_SYMLINK_NOFOLLOW) == 0)
        }
        let plan = try await TransferPlan(
            from: [TransferEndpoint(desk.provider, "s")], to: TransferEndpoint(desk.provider, "d"),
            options: impatient { $0.mirror = MirrorRule() })
        let report = try await Transfer(plan).run()
        #expect(report.isComplete && report.unchanged == (isSame ? 1 : 0) && report.copied == (isSame ? 0 : 1))
        #expect(try await desk.provider.attributesOfItem(path: "d/l").linkTarget == "aa")
    }

    @Test("links whose target a listing does not report are read", arguments: [true, false])
    func untoldLinks(isSame: Bool) async throws {
        let target = HookedProvider(telling: { $0.linkTarget = nil })
        try await target.base.create(symbolicLink: "t", withDestinationPath: isSame ? "aa" : "bb")
        try FileManager.default.createSymbolicLink(
            atPath: desk.folder.appendingPathComponent("s").path, withDestinationPath: "aa")
        let plan = try await TransferPlan(
            from: [TransferEndpoint(desk.provider, "s")], to: TransferEndpoint(target, "t"), options: impatient())
        let report = try await Transfer(plan).run()
        #expect(report.unchanged == (isSame ? 1 : 0) && report.failures.count == (isSame ? 0 : 1), "\(report)")
    }

    @Test(
        "a file changed within a second is another version if the server reports fractions",
        .enabled(if: Place.names.contains("APACHE"), "needs Scripts/test-servers"))
    func fractions() async throws {
        let place = try await Place("APACHE")
        let file = place.root.appendingPathComponent("f")
        func put(_ text: String, _ nanoseconds: Int) throws {
            try Data(text.utf8).write(to: file)
            let times = [timespec](repeating: timespec(tv_sec: 1_500_000_000, tv_nsec: nanoseconds), count: 2)
            #expect(utimensat(AT_FDCWD, file.path, times, 0) == 0)
        }
        func pull() async throws -> TransferReport {
            let plan = try await TransferPlan(
                from: [TransferEndpoint(place.provider, place.folder)], to: TransferEndpoint(desk.provider, "d"),
                options: impatient { $0.mirror = MirrorRule() })
            return try await Transfer(plan).run()
        }
        try put("1", 100_000_000)
        #expect(try await pull().copied == 1)
        #expect(try await pull().unchanged == 1)
        try put("2", 400_000_000)
        #expect(try await pull().copied == 1)
        #expect(try desk.read("d/f") == Data("2".utf8))
        #expect(try await pull().unchanged == 1)
    }

    @Test(
        "a file that replaced a finished copy is not taken for it, whatever the journal says",
        .enabled(if: !Place.names.isEmpty, "needs Scripts/test-servers"), arguments: Place.names, [true, false])
    func replacedSince(server: String, isReplaced: Bool) async throws {
        let place = try await Place(server)
        let isBroken = Locked(true)
        let source = HookedProvider(beforeReading: { path in
            if path == "tree/3", isBroken.withLock({ $0 }) { throw URLError(.networkConnectionLost) }
        })
        for number in 1...3 {
            try await source.base.write(
                path: ItemPath(validating: "tree/\(number)"), from: ByteStream(Data("text \(number)".utf8)),
                options: OperationOptions(createsParents: true))
        }
        let plan = try await TransferPlan(
            from: [TransferEndpoint(source, "tree")],
            to: TransferEndpoint(place.provider, place.folder.appending("je")),
            options: impatient {
                $0.conflict = .overwrite
                $0.retries.perFile = 0
            })
        #expect(try await Transfer(plan, in: desk.environment).run().copied == 2)
        isBroken.withLock { $0 = false }
        if isReplaced {
            let file = place.root.appendingPathComponent("je/1")
            try Data("theirs".utf8).write(to: file)
            let time = Date(timeIntervalSinceNow: 100)
            try FileManager.default.setAttributes([.modificationDate: time], ofItemAtPath: file.path)
        }
        let second = try await Transfer(plan, in: desk.environment).run()
        #expect(second.isComplete && second.unchanged == (isReplaced ? 1 : 2), "\(second)")
        #expect(try await place.provider.contents(path: plan.jobs[0].target.path.appending("1")) == Data("text 1".utf8))
    }

    @Test("a finished file's record survives encoding and recognizes the copy")
    func finishedFile() throws {
        var copy = FileObject(path: "f", type: .regular)
        copy[.writtenBy] = FileTime(seconds: 100)
        var found = copy
        let slow = FinishedFile(key: 7, copy, writtenIn: .seconds(50))
        // The server's time may be that of the request or of the reply.
        for (time, mayBe) in [(48, false), (90, true), (151, true), (153, false)] {
            found.modificationTime = FileTime(seconds: Int64(time))
            #expect(slow.mayBe(found, precision: 1) == mayBe, "\(time)")
        }
        copy.modificationTime = FileTime(seconds: 100, nanoseconds: 5)
        let dated = FinishedFile(key: 7, copy, writtenIn: .zero)
        found.modificationTime = FileTime(seconds: 101)
        #expect(!dated.mayBe(found, precision: 1) && dated.mayBe(found, precision: 1_000_000_000))
        copy.etag = ETag(rawValue: "W/\"a\"")
        let tagged = FinishedFile(key: 7, copy, writtenIn: .zero)
        found.etag = ETag(rawValue: "\"a\"")
        #expect(tagged.mayBe(found, precision: 1))
        found.etag = ETag(rawValue: "\"b\"")
        #expect(!tagged.mayBe(found, precision: 1))
        for file in [slow, dated, tagged, FinishedFile(key: .max, nil, writtenIn: .zero)] {
            #expect(FinishedFile(text: file.text) == file)
        }
        #expect(FinishedFile(text: Data("ff".utf8)) == FinishedFile(key: 255, nil, writtenIn: .zero))
        let earlier = try #require(FinishedFile(text: Data("7 - <101000000000".utf8)))
        for (time, mayBe) in [(-5, true), (101, true), (102, false)] {
            found.modificationTime = FileTime(seconds: Int64(time))
            #expect(earlier.mayBe(found, precision: 1) == mayBe, "\(time)")
        }
    }
}
