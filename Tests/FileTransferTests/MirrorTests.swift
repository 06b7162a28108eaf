import FileProviders
import Foundation
import Testing

@Suite("Mirrors") struct MirrorTests {
    private let source = MemoryFileProvider()
    private let target = MemoryFileProvider()

    private func mirror(
        _ adjust: (inout MirrorRule) -> Void = { $0.deletes = true }, dryRun: Bool = false,
        filter: TransferFilter = TransferFilter()
    ) async throws -> TransferReport {
        var rule = MirrorRule()
        adjust(&rule)
        var options = impatient()
        options.mirror = rule
        options.dryRun = dryRun
        options.filter = filter
        try await target.createDirectory(path: "m")
        let plan = try await TransferPlan(
            from: [TransferEndpoint(source, "s")], to: TransferEndpoint(target, "m"), options: options)
        return try await Transfer(plan).run()
    }

    private func write(_ provider: MemoryFileProvider, _ path: ItemPath, _ text: String, time: Int64 = 1000)
        async throws
    {
        try await provider.createDirectory(path: path.parent ?? .root, createsParents: true)
        var options = OperationOptions(overwrite: true)
        options.attributes.modificationTime = FileTime(seconds: time)
        try await provider.write(path: path, from: ByteStream(Data(text.utf8)), options: options)
    }

    private func names(_ path: ItemPath) async throws -> [String] {
        try await target.recursiveListing(path: path).collect().map(\.path.description).sorted()
    }

    @Test("what differs is replaced, what is gone is removed, what moved is moved")
    func mirrored() async throws {
        for name in ["a", "b", "c", "d"] {
            try await write(source, try ItemPath(validating: "s/\(name)"), "text \(name)")
        }
        _ = try await mirror()
        try await write(source, "s/a", "new text", time: 500)
        try await source.removeItem(path: "s/b")
        try await source.createDirectory(path: "s/x")
        try await source.moveItem(path: "s/c", to: "s/x/c")
        let planned = try await mirror({ $0.deletes = true }, dryRun: true)
        #expect(try await names("m") == ["/m/a", "/m/b", "/m/c", "/m/d"])
        let report = try await mirror()
        #expect(report.isComplete)
        #expect((report.copied, report.moved, report.deleted) == (1, 1, 1))
        #expect((planned.copied, planned.moved, planned.deleted) == (1, 1, 1))
        #expect(try await names("m") == ["/m/a", "/m/d", "/m/x", "/m/x/c"])
        #expect(try await target.contents(path: "m/a") == Data("new text".utf8))
    }

    @Test("nothing is removed without being asked for")
    func keeps() async throws {
        try await write(source, "s/a", "1")
        try await write(target, "m/old", "2")
        #expect(try await mirror { _ in }.deleted == 0)
        #expect(try await names("m") == ["/m/a", "/m/old"])
    }

    @Test("a source that goes away meanwhile is reported, and nothing is removed")
    func sourceGone() async throws {
        try await write(source, "s/a", "1")
        let target = HookedProvider(afterWrite: { [source] _ in try await source.removeItem(path: "s") })
        try await write(target.base, "m/old", "2")
        var options = impatient()
        options.mirror = MirrorRule()
        options.mirror?.deletes = true
        let plan = try await TransferPlan(
            from: [TransferEndpoint(source, "s")], to: TransferEndpoint(target, "m"), options: options)
        let report = try await Transfer(plan).run()
        #expect((report.copied, report.deleted) == (1, 0))
        #expect(report.failures.map(\.source) == ["s"] as [ItemPath])
        #expect(report.failures.first?.error?.isNoSuchFile == true)
        #expect(try await target.base.contents(path: "m/old") == Data("2".utf8))
    }

    @Test("what the filter leaves out stays, also in a folder that goes")
    func excluded() async throws {
        try await write(source, "s/a", "1")
        for path in ["m/old/a.log", "m/old/b", "m/old/in/c", "m/old/cache/deep/d", "m/gone/e"] as [ItemPath] {
            try await write(target, path, "2")
        }
        let rules = ["*.log", "cache/"].map { TransferFilter.Rule(includes: false, pattern: $0) }
        let report = try await mirror(filter: TransferFilter(rules))
        #expect(report.isComplete && report.deleted == 3)
        #expect(
            try await names("m") == [
                "/m/a", "/m/old", "/m/old/a.log", "/m/old/cache", "/m/old/cache/deep", "/m/old/cache/deep/d",
            ])
    }

    @Test("a backup is of the old file, however often the copy is tried")
    func backupOfRepeated() async throws {
        let target = HookedProvider { count in
            // The file is there, and the reply is lost.
            if count == 1 { throw URLError(.networkConnectionLost) }
        }
        try await write(source, "s/a", "new text")
        try await write(target.base, "m/a", "old")
        var options = impatient()
        options.mirror = MirrorRule()
        options.mirror?.backup = TransferEndpoint(target, "backup")
        let plan = try await TransferPlan(
            from: [TransferEndpoint(source, "s")], to: TransferEndpoint(target, "m"), options: options)
        #expect(try await Transfer(plan).run().isComplete)
        #expect(try await target.contents(path: "m/a") == Data("new text".utf8))
        #expect(try await target.contents(path: "backup/a") == Data("old".utf8))
    }

    @Test("an empty source removes nothing")
    func emptySource() async throws {
        try await source.createDirectory(path: "s")
        try await write(target, "m/a", "1")
        let report = try await mirror {
            $0.deletes = true
            $0.maximumDeletions = .share(1)
        }
        #expect(!report.isComplete)
        #expect(try await names("m") == ["/m/a"])
    }

    @Test("more than the limit removes nothing at all", arguments: [MirrorRule.Limit.share(0.5), .count(2)])
    func limit(_ limit: MirrorRule.Limit) async throws {
        try await write(source, "s/a", "1")
        try await write(target, "m/a", "1")
        try await write(target, "m/d/b", "2")
        try await write(target, "m/d/c", "3")
        let report = try await mirror {
            $0.deletes = true
            $0.maximumDeletions = limit
        }
        #expect(report.failures.map { $0.error?.transferRefusal } == [.deletions])
        #expect(try await names("m") == ["/m/a", "/m/d", "/m/d/b", "/m/d/c"])
    }

    @Test("what a run copies does not make room for removals", arguments: [true, false])
    func wrongSource(dryRun: Bool) async throws {
        for index in 0..<6 {
            try await write(source, ItemPath(validating: "s/new\(index)"), "new")
            try await write(target, ItemPath(validating: "m/d/old\(index)"), "old")
        }
        let report = try await mirror({ $0.deletes = true }, dryRun: dryRun)
        #expect(report.failures.map { $0.error?.localizedDescription.contains("7 of 7 items") } == [true])
        #expect(try await names("m").count { $0.contains("old") } == 6)
    }

    @Test("a delegate that goes on after every failure costs nothing: transfers do not ask it")
    func indulgentDelegate() async throws {
        final class Indulgent: FileOperationDelegate {
            let asked = Locked(0)
            func fileProvider(
                _ fileProvider: any FileProviderOperations, shouldDoOperation operation: FileOperationType
            ) async -> Bool {
                asked.withLock { $0 += 1 }
                return true
            }
            func fileProvider(
                _ fileProvider: any FileProviderOperations, shouldProceedAfterError error: any Error,
                operation: FileOperationType
            ) async -> Bool { true }
        }
        try await write(source, "s/a", "new")
        try await write(target, "m/a", "old")
        try await write(target, "m/gone", "gone")
        try await write(target, "file", "no folder")
        let delegate = Indulgent()
        let plan = try await mirrorPlan(backup: "file/attic")
        target.context.fileOperationDelegate = delegate
        let report = try await Transfer(plan).run()
        target.context.fileOperationDelegate = nil
        #expect(!report.isComplete && delegate.asked.withLock { $0 } == 0)
        #expect(try await target.contents(path: "m/a") == Data("old".utf8))
        #expect(try await names("m") == ["/m/a", "/m/gone"])
    }

    private func mirrorPlan(backup: ItemPath) async throws -> TransferPlan {
        var rule = MirrorRule()
        rule.deletes = true
        rule.maximumDeletions = .share(1)
        rule.backup = TransferEndpoint(target, backup)
        var options = impatient()
        options.mirror = rule
        return try await TransferPlan(
            from: [TransferEndpoint(source, "s")], to: TransferEndpoint(target, "m"), options: options)
    }

    @Test("a backup takes what is removed and what is replaced")
    func backup() async throws {
        try await write(source, "s/a", "new", time: 5000)
        try await write(source, "s/k", "kept")
        try await write(target, "m/a", "old")
        try await write(target, "m/k", "kept")
        try await write(target, "m/d/b", "gone")
        let report = try await mirror {
            $0.deletes = true
            $0.backup = TransferEndpoint(target, "attic")
        }
        #expect(report.isComplete, "\(report.failures)")
        #expect(try await target.contents(path: "attic/a") == Data("old".utf8))
        #expect(try await target.contents(path: "attic/d/b") == Data("gone".utf8))
        #expect(try await names("m") == ["/m/a", "/m/k"])
    }

    @Test("a file that became a directory and a directory that became a file take each other's place")
    func kinds() async throws {
        try await write(source, "s/k", "kept")
        try await write(source, "s/k2", "kept")
        try await write(source, "s/x", "a file now")
        try await write(source, "s/y/sub/1", "a directory now")
        for name in ["k", "k2"] { try await write(target, try ItemPath(validating: "m/\(name)"), "kept") }
        try await write(target, "m/x/old", "gone")
        try await write(target, "m/y", "gone")
        let before = ["/m/k", "/m/k2", "/m/x", "/m/x/old", "/m/y"]
        #expect(try await mirror { _ in }.failures.count == 2)
        #expect(try await names("m") == before)
        let refused = try await mirror {
            $0.deletes = true
            $0.maximumDeletions = .count(2)
        }
        #expect(refused.failures.count == 3)
        #expect(try await names("m") == before)
        let rule = { (rule: inout MirrorRule) in
            rule.deletes = true
            rule.maximumDeletions = .count(3)
            rule.backup = TransferEndpoint(target, "attic")
        }
        let planned = try await mirror(rule, dryRun: true)
        #expect(try await names("m") == before)
        let report = try await mirror(rule)
        #expect(report.isComplete, "\(report.failures)")
        #expect((report.copied, report.deleted, report.bytes) == (2, 2, 25))
        #expect((planned.copied, planned.deleted, planned.bytes) == (2, 2, 25))
        #expect(try await names("m") == ["/m/k", "/m/k2", "/m/x", "/m/y", "/m/y/sub", "/m/y/sub/1"])
        #expect(try await target.contents(path: "m/x") == Data("a file now".utf8))
        #expect(try await names("attic") == ["/attic/x", "/attic/x/old", "/attic/y"])
    }

    @Test("a backup that is kept takes a folder that goes twice, and a folder in a file's place")
    func keptBackup() async throws {
        let rule = { (rule: inout MirrorRule) in
            rule.deletes = true
            rule.maximumDeletions = .share(1)
            rule.backup = TransferEndpoint(target, "attic")
        }
        try await write(source, "s/k", "kept")
        for text in ["first", "second"] {
            try await write(target, ItemPath(validating: "m/d/\(text)"), text)
            try await write(target, "m/d/same", text)
            let report = try await mirror(rule)
            #expect(report.isComplete, "\(report.failures)")
        }
        #expect(try await names("m") == ["/m/k"])
        #expect(try await names("attic") == ["/attic/d", "/attic/d/first", "/attic/d/same", "/attic/d/second"])
        #expect(try await target.contents(path: "attic/d/same") == Data("second".utf8))
        try await write(target, "m/d", "a file now")
        #expect(try await mirror(rule).isComplete)
        #expect(try await target.contents(path: "attic/d.~1~") == Data("a file now".utf8))
    }

    @Test("a folder takes the place of a file that moved away", arguments: [true, false])
    func movedAway(dryRun: Bool) async throws {
        try await write(source, "s/k", "kept")
        try await write(source, "s/notes", "my notes")
        _ = try await mirror()
        try await source.createDirectory(path: "s/old")
        try await source.moveItem(path: "s/notes", to: "s/old/notes")
        try await write(source, "s/notes/x", "new")
        let report = try await mirror({ $0.deletes = true }, dryRun: dryRun)
        #expect(report.isComplete, "\(report.failures)")
        #expect((report.moved, report.copied) == (1, 1))
        guard !dryRun else { return }
        #expect(try await names("m") == ["/m/k", "/m/notes", "/m/notes/x", "/m/old", "/m/old/notes"])
    }

    @Test(
        "a storage that knows no case loses nothing to a folder whose name changed its case", arguments: [true, false])
    func otherCase(dryRun: Bool) async throws {
        let target = RacingFoldingProvider()
        try await write(source, "s/Photos/new", "new")
        try await write(source, "s/k", "kept")
        try await write(target.base, "m/photos/old", "old")
        try await write(target.base, "m/gone", "gone")
        var options = impatient()
        options.mirror = MirrorRule()
        options.mirror?.deletes = true
        options.mirror?.maximumDeletions = .share(1)
        options.dryRun = dryRun
        let plan = try await TransferPlan(
            from: [TransferEndpoint(source, "s")], to: TransferEndpoint(target, "m"), options: options)
        let report = try await Transfer(plan).run()
        #expect(report.failures.map(\.target) == ["/m/photos"] as [ItemPath], "\(report.failures)")
        #expect(report.deleted == 1)
        guard !dryRun else { return }
        let left = try await target.base.recursiveListing(path: "m").collect().map(\.path.description).sorted()
        #expect(left == ["/m/k", "/m/photos", "/m/photos/new", "/m/photos/old"])
    }

    @Test("a name that differs in its case alone goes where the storage tells both apart")
    func bothCases() async throws {
        try await write(source, "s/Photos/new", "new")
        try await write(target, "m/photos/old", "old")
        let report = try await mirror {
            $0.deletes = true
            $0.maximumDeletions = .share(1)
        }
        #expect(report.isComplete, "\(report.failures)")
        #expect(try await names("m") == ["/m/Photos", "/m/Photos/new"])
    }
}
