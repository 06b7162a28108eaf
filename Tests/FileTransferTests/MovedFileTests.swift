import FileProviders
import Foundation
import Testing

/// Files that a mirror can move at the destination instead of copying them.
@Suite("Moved files") struct MovedFileTests {
    private let desk: Desk

    init() throws { desk = try Desk() }

    private func mirror(_ adjust: (inout TransferOptions) -> Void = { _ in }) async throws -> TransferReport {
        let options = impatient { options in
            options.mirror = MirrorRule()
            options.mirror?.deletes = true
            options.mirror?.maximumDeletions = .share(1)
            adjust(&options)
        }
        let plan = try await TransferPlan(
            from: [TransferEndpoint(desk.provider, "s")], to: TransferEndpoint(desk.provider, "d"), options: options)
        return try await Transfer(plan).run()
    }

    private func write(_ text: String, _ name: String) throws {
        let file = desk.folder.appendingPathComponent(name)
        try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: file)
        let time = Date(timeIntervalSince1970: 1_500_000_000)
        try FileManager.default.setAttributes([.modificationDate: time], ofItemAtPath: file.path)
    }

    /// Creates a file that seems to have moved: it has the name, size and time of one that was removed.
    private func makeLookalike(text: String) async throws {
        for name in ["host1/ifcfg", "host1/o", "host2/p"] { try write("text of host1", "s/\(name)") }
        #expect(try await mirror().isComplete)
        try FileManager.default.removeItem(at: desk.folder.appendingPathComponent("s/host1/ifcfg"))
        try write(text, "s/host2/ifcfg")
    }

    @Test(
        "a file with the same name, size and time is moved only if its bytes are the same",
        arguments: [TransferOptions.Verification.automatic, .hash, .readback], [false, true])
    func lookalike(verification: TransferOptions.Verification, isSame: Bool) async throws {
        let text = isSame ? "text of host1" : "text of host2"
        try await makeLookalike(text: text)
        let planned = try await mirror {
            $0.verification = verification
            $0.dryRun = true
        }
        let report = try await mirror { $0.verification = verification }
        #expect(report.isComplete && report.moved == (isSame ? 1 : 0), "\(report)")
        #expect(report.deleted == (isSame ? 0 : 1) && report.copied == (isSame ? 0 : 1), "\(report)")
        #expect((planned.moved, planned.copied, planned.deleted) == (report.moved, report.copied, report.deleted))
        #expect(try String(decoding: desk.read("d/host2/ifcfg"), as: UTF8.self) == text)
        #expect(throws: CocoaError.self) { try desk.read("d/host1/ifcfg") }
    }

    @Test("a file that cannot be moved is copied, and its former place cleared", arguments: [true, false])
    func unmovable(isDone: Bool) async throws {
        let source = MemoryFileProvider()
        let base = MemoryFileProvider()
        let target = HookedProvider(
            on: base,
            beforeMove: { _ in
                // As if it had left its place although no reply came.
                if isDone { try await base.moveItem(path: "d/old/x", to: "d/other") }
                throw CocoaError(.fileWriteNoPermission)
            })
        let options = impatient { options in
            options.recursive = true
            options.mirror = MirrorRule()
            options.mirror?.deletes = true
            options.mirror?.maximumDeletions = .share(1)
        }
        for name in ["old", "new"] {
            try await source.createDirectory(path: ItemPath(validating: "s/\(name)"), createsParents: true)
        }
        for name in ["old/x", "old/stays", "new/stays"] {
            try await source.writeContents(path: ItemPath(validating: "s/\(name)"), contents: Data(name.utf8))
        }
        let plan = {
            try await TransferPlan(
                from: [TransferEndpoint(source, "s")], to: TransferEndpoint(target, "d"), options: options)
        }
        #expect(try await Transfer(plan()).run().isComplete)
        try await source.moveItem(path: "s/old/x", to: "s/new/x")
        let report = try await Transfer(plan()).run()
        #expect(report.isComplete && report.copied == 1, "\(report)")
        let left = try await base.recursiveListing(path: "d").collect().map(\.path.description)
        #expect(left.contains("/d/new/x") && !left.contains("/d/old/x"))
    }

    @Test("with size verification the bytes are not compared")
    func bySize() async throws {
        try await makeLookalike(text: "text of host2")
        #expect(try await mirror { $0.verification = .size }.moved == 1)
    }

    @Test("a destination in its own backup folder is refused")
    func destinationInBackup() async throws {
        try write("text", "s/a")
        try write("old", "d/b")
        await #expect(throws: CocoaError.self) {
            try await mirror { $0.mirror?.backup = TransferEndpoint(desk.provider, "/") }
        }
        #expect(try desk.read("d/b") == Data("old".utf8))
    }

    @Test(
        "a source in the backup folder is refused, also where the source's own root hides that",
        arguments: [true, false])
    func sourceInBackup(isRooted: Bool) async throws {
        try write("new", "photos/s/a")
        try write("old", "d/a")
        try write("extra", "d/s/a")
        let source =
            isRooted
            ? TransferEndpoint(
                try LocalFileProvider(root: LocalPath(desk.folder.appendingPathComponent("photos/s").path)), .root)
            : TransferEndpoint(desk.provider, "photos/s")
        let options = impatient { options in
            options.mirror = MirrorRule()
            options.mirror?.deletes = true
            options.mirror?.maximumDeletions = .share(1)
            options.mirror?.backup = TransferEndpoint(desk.provider, "photos")
        }
        let plan = try await TransferPlan(
            from: [source], to: TransferEndpoint(desk.provider, "d"), options: options)
        await #expect(throws: CocoaError.self) { try await Transfer(plan).run() }
        #expect(try desk.read("photos/s/a") == Data("new".utf8))
        #expect(try desk.read("d/s/a") == Data("extra".utf8))
    }

    @Test("a source with nothing that could be copied removes nothing")
    func onlyPipe() async throws {
        try write("old", "d/b")
        try FileManager.default.createDirectory(
            at: desk.folder.appendingPathComponent("s"), withIntermediateDirectories: true)
        #expect(mkfifo(desk.folder.appendingPathComponent("s/pipe").path, 0o600) == 0)
        #expect(try await mirror().deleted == 0)
        #expect(try desk.read("d/b") == Data("old".utf8))
    }
}
