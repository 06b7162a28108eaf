import FileProviders
import Foundation
import Testing

/// Files at the destination that somebody else edits between the comparison and the replacement.
@Suite("Changing targets") struct TargetChangeTests {
    private let target = MemoryFileProvider()
    /// Edits files of the destination when the source is read for the first time.
    private let source: HookedProvider

    init() async throws {
        let isEdited = Locked(false)
        source = HookedProvider(beforeReading: { [target] _ in
            let wasEdited = isEdited.withLock { edited in
                defer { edited = true }
                return edited
            }
            guard !wasEdited else { return }
            for path in ["m/a", "m/extra"] as [ItemPath] where try await target.itemExists(path: path) {
                try await Self.write("edited", path, at: target, time: 5000)
            }
        })
        try await source.base.createDirectory(path: "s")
        try await Self.write("new", "s/a", at: source.base, time: 1000)
        try await target.createDirectory(path: "m")
    }

    private static func write(_ text: String, _ path: ItemPath, at storage: MemoryFileProvider, time: Int64)
        async throws
    {
        var options = OperationOptions(overwrite: true)
        options.attributes.modificationTime = FileTime(seconds: time)
        try await storage.write(path: path, from: ByteStream(Data(text.utf8)), options: options)
    }

    private func run(
        to storage: any FileProvider, _ adjust: (inout TransferOptions) -> Void
    ) async throws -> TransferReport {
        var options = impatient()
        options.recursive = true
        adjust(&options)
        let plan = try await TransferPlan(
            from: [TransferEndpoint(source, "s/")], to: TransferEndpoint(storage, "m"), options: options)
        return try await Transfer(plan).run()
    }

    private func contents(_ path: ItemPath) async throws -> String {
        String(decoding: try await target.contents(path: path), as: UTF8.self)
    }

    @Test(
        "a file that has become newer is not replaced by an older one",
        arguments: [TransferOptions.Verification.automatic, .hash])
    func update(verification: TransferOptions.Verification) async throws {
        try await Self.write("old", "m/a", at: target, time: 500)
        let report = try await run(to: target) {
            $0.conflict = .update
            $0.verification = verification
        }
        #expect(report.isComplete && (report.copied, report.skipped) == (0, 1), "\(report)")
        #expect(try await contents("m/a") == "edited")
    }

    @Test("the backup holds what was replaced, not what was listed")
    func backup() async throws {
        try await Self.write("old", "m/a", at: target, time: 500)
        let report = try await run(to: target) {
            $0.mirror = MirrorRule()
            $0.mirror?.backup = TransferEndpoint(target, "backup")
        }
        #expect(report.isComplete && report.copied == 1, "\(report)")
        #expect(try await contents("m/a") == "new")
        #expect(try await contents("backup/a") == "edited")
    }

    @Test("an extra file that was edited stays, and is named")
    func extra() async throws {
        try await Self.write("old", "m/extra", at: target, time: 500)
        for name in ["b", "c", "d"] {
            try await Self.write("same", try ItemPath(validating: "s/\(name)"), at: source.base, time: 700)
            try await Self.write("same", try ItemPath(validating: "m/\(name)"), at: target, time: 700)
        }
        let report = try await run(to: target) {
            $0.mirror = MirrorRule()
            $0.mirror?.deletes = true
        }
        #expect(report.deleted == 0 && report.failures.map(\.target) == ["m/extra"] as [ItemPath], "\(report)")
        #expect(report.failures.first?.error?.isItemChanged == true)
        #expect(try await contents("m/extra") == "edited")
    }

    @Test("a storage that refuses the version that it reports itself is not asked for it again")
    func misreported() async throws {
        try await Self.write("old", "m/a", at: target, time: 500)
        let misreporting = HookedProvider(on: target, telling: { $0.etag = ETag(rawValue: "\"other\"") })
        let report = try await run(to: misreporting) { $0.mirror = MirrorRule() }
        #expect(report.isComplete && report.copied == 1, "\(report)")
        #expect(try await contents("m/a") == "new")
    }
}
