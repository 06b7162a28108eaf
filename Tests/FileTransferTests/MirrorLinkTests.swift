import FileProviders
import Foundation
import Testing

/// Mirrors of folders, files and links on this machine, and to a server that has no links and sets no times.
@Suite("Mirrors and links") struct MirrorLinkTests {
    private let desk: Desk

    init() throws { desk = try Desk() }

    private func mirror(
        to target: TransferEndpoint, _ adjust: (inout TransferOptions) -> Void = { _ in }
    ) async throws -> TransferReport {
        let options = impatient { options in
            options.mirror = MirrorRule()
            options.mirror?.deletes = true
            options.mirror?.maximumDeletions = .share(1)
            adjust(&options)
        }
        let plan = try await TransferPlan(
            from: [TransferEndpoint(desk.provider, "s")], to: target, options: options)
        return try await Transfer(plan).run()
    }

    private func link(_ name: String, to text: String) throws {
        try FileManager.default.createSymbolicLink(
            atPath: desk.folder.appendingPathComponent(name).path, withDestinationPath: text)
    }

    @Test("what a link at the destination leads to is not removed from")
    func behindLink() async throws {
        try desk.fill("s/d/new", 10)
        try desk.fill("elsewhere/theirs", 10)
        try desk.fill("m/old", 10)
        try link("m/d", to: "../elsewhere")
        let report = try await mirror(to: TransferEndpoint(desk.provider, "m"))
        #expect(report.isComplete, "\(report.failures)")
        #expect(report.deleted == 2)
        #expect(try desk.read("elsewhere/theirs").count == 10)
    }

    @Test("a file that a link replaces is in the backup")
    func replacedByLink() async throws {
        let old = try desk.fill("m/a", 10)
        try desk.fill("s/b", 10)
        try link("s/a", to: "b")
        let report = try await mirror(to: TransferEndpoint(desk.provider, "m")) {
            $0.mirror?.backup = TransferEndpoint(desk.provider, "attic")
        }
        #expect(report.isComplete, "\(report.failures)")
        #expect(try desk.read("attic/a") == old)
        #expect(try await desk.provider.attributesOfItem(path: "m/a").isSymLink)
    }

    @Test("a folder does not go for a link that the destination cannot have", .enabled(if: !Place.names.isEmpty))
    func unfitLink() async throws {
        let place = try await Place("APACHE")
        try desk.fill("real/x", 10)
        try desk.fill("s/b", 10)
        try link("s/d", to: "../real")
        let target = TransferEndpoint(place.provider, try place.folder.appending("m"))
        #expect(try await mirror(to: target) { $0.symlinks = .follow }.isComplete)
        let report = try await mirror(to: target)
        #expect((report.deleted, report.skipped) == (0, 1))
        let kept = try Data(contentsOf: place.root.appendingPathComponent("m/d/x"))
        #expect(try kept == desk.read("real/x"))
    }

    @Test("another file of the same name and size has not moved", .enabled(if: !Place.names.isEmpty))
    func sameNameAndSize() async throws {
        let place = try await Place("APACHE")
        try desk.fill("s/a/VERSION", 10)
        try desk.fill("s/a/other", 10)
        let target = TransferEndpoint(place.provider, try place.folder.appending("m"))
        #expect(try await mirror(to: target).isComplete)
        try FileManager.default.removeItem(at: desk.folder.appendingPathComponent("s/a/VERSION"))
        let new = try desk.fill("s/b/VERSION", 10, seed: 2)
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSince1970: 1000)],
            ofItemAtPath: desk.folder.appendingPathComponent("s/b/VERSION").path)
        let report = try await mirror(to: target)
        #expect(report.isComplete, "\(report.failures)")
        #expect((report.moved, report.copied, report.deleted) == (0, 1, 1))
        #expect(try Data(contentsOf: place.root.appendingPathComponent("m/b/VERSION")) == new)
    }

    @Test("what a link in the target leads to is not written into")
    func notThroughLinks() async throws {
        try desk.fill("s/d/keep", 10)
        let theirs = try desk.fill("out/keep", 12)
        try FileManager.default.createDirectory(
            at: desk.folder.appendingPathComponent("t"), withIntermediateDirectories: true)
        try link("t/d", to: "../out")
        var options = impatient()
        options.conflict = .overwrite
        let plan = try await TransferPlan(
            from: [TransferEndpoint(desk.provider, "s")], to: TransferEndpoint(desk.provider, "t"), options: options)
        let report = try await Transfer(plan).run()
        #expect(report.failures.count == 1 && report.copied == 0, "\(report)")
        // A mirror makes room for the folder, unless it must not.
        let refused = try await mirror(to: TransferEndpoint(desk.provider, "t")) {
            $0.mirror?.maximumDeletions = .count(0)
        }
        #expect(refused.failures.count == 2 && refused.copied == 0, "\(refused)")
        #expect(try desk.read("out/keep") == theirs)
        #expect(try await mirror(to: TransferEndpoint(desk.provider, "t")).isComplete)
        #expect(try await desk.provider.attributesOfItem(path: "t/d").isDirectory)
        #expect(try desk.read("t/d/keep").count == 10)
        #expect(try desk.read("out/keep") == theirs)
    }

    @Test("a mirror or copy that leads into its source by a link is refused")
    func leadingBack() async throws {
        try desk.fill("t/src/a", 10)
        try desk.fill("t/old", 10)
        try link("lt", to: "t")
        try link("llt", to: "lt")
        var mirroring = impatient()
        mirroring.mirror = MirrorRule()
        mirroring.mirror?.deletes = true
        for name in ["lt", "llt"] as [ItemPath] {
            await #expect(throws: CocoaError.self) {
                try await TransferPlan(
                    from: [TransferEndpoint(desk.provider, "t/src")], to: TransferEndpoint(desk.provider, name),
                    options: mirroring)
            }
            await #expect(throws: CocoaError.self) {
                try await TransferPlan(
                    from: [TransferEndpoint(desk.provider, "t")],
                    to: TransferEndpoint(desk.provider, name.appending("sub")), options: impatient())
            }
        }
        try desk.fill("s/b", 10)
        let report = try? await mirror(to: TransferEndpoint(desk.provider, "t")) {
            $0.mirror?.backup = TransferEndpoint(desk.provider, "lt/attic")
        }
        #expect(report == nil)
        #expect(try desk.read("t/old").count == 10)
    }

    @Test("a dry run fails where the run would", arguments: [false, true])
    func foreseen(filters: Bool) async throws {
        try desk.fill(filters ? "s/a" : "s/a/1", 10)
        try desk.fill(filters ? "m/a/x" : "m/a", 10)
        for isDry in [true, false] {
            let report = try await mirror(to: TransferEndpoint(desk.provider, "m")) {
                $0.dryRun = isDry
                if filters {
                    $0.filter.rules = [TransferFilter.Rule(includes: false, pattern: "x")]
                } else {
                    $0.mirror?.maximumDeletions = .count(0)
                }
            }
            #expect(report.failures.count == (filters ? 1 : 2) && report.copied == 0, "\(report)")
        }
    }

    @Test("a source whose files the filter leaves out, or that has only folders, removes nothing")
    func nothingTakesPart() async throws {
        try desk.fill("s/a.log", 10)
        try FileManager.default.createDirectory(
            at: desk.folder.appendingPathComponent("s/empty"), withIntermediateDirectories: true)
        try desk.fill("m/old", 10)
        for filters in [true, false] {
            let report = try await mirror(to: TransferEndpoint(desk.provider, "m")) {
                if filters { $0.filter.rules = [TransferFilter.Rule(includes: false, pattern: "*.log")] }
            }
            #expect(report.deleted == (filters ? 0 : 1), "\(report)")
        }
        try desk.fill("m/old", 10)
        try FileManager.default.removeItem(at: desk.folder.appendingPathComponent("s/a.log"))
        #expect(try await mirror(to: TransferEndpoint(desk.provider, "m")).deleted == 0)
    }

    @Test("an item that the filter leaves out is not removed because it stands in the way")
    func inTheWay() async throws {
        try desk.fill("s/notes/a.txt", 10)
        try desk.fill("s/b.txt", 10)
        try desk.fill("m/b.txt", 10)
        let precious = try desk.fill("m/notes", 10)
        let report = try await mirror(to: TransferEndpoint(desk.provider, "m")) {
            $0.filter.rules = [TransferFilter.Rule(includes: true, pattern: "*.txt")]
        }
        #expect(report.failures.count == 1 && report.deleted == 0, "\(report)")
        #expect(try desk.read("m/notes") == precious)
    }

    @Test("what a followed link leads to takes part as what it is, under the link's name")
    func filteredBehindLinks() async throws {
        try desk.fill("out/b.txt", 10)
        try desk.fill("s/real/f1", 10)
        try desk.fill("s/real/c.txt", 10)
        try desk.fill("s/one.txt", 10)
        try link("s/sub", to: "../out")
        try link("s/link", to: "real")
        for name in ["sub/b.txt", "link/f1", "link/c.txt", "one.txt"] { try desk.fill("m/\(name)", 10) }
        func names(_ filter: [TransferFilter.Rule], deletes: Bool) async throws -> Set<String> {
            _ = try await mirror(to: TransferEndpoint(desk.provider, "m")) {
                $0.symlinks = .follow
                $0.filter.rules = filter
                $0.mirror?.deletes = deletes
            }
            let folder = desk.folder.appendingPathComponent("m")
            return Set(
                try FileManager.default.subpathsOfDirectory(atPath: folder.path).filter {
                    $0.contains(".") || $0.contains("f1")
                })
        }
        // Nothing that takes part is missing at the source.
        let texts = try await names([.init(includes: true, pattern: "*.txt")], deletes: true)
        #expect(texts.isSuperset(of: ["sub/b.txt", "link/c.txt", "link/f1", "one.txt", "real/c.txt"]), "\(texts)")
        // The source has it, and it is left out only under its own name.
        let others = try await names([.init(includes: false, pattern: "/real/f1")], deletes: true)
        #expect(others.isSuperset(of: ["sub/b.txt", "link/c.txt", "link/f1", "real/c.txt"]), "\(others)")
        #expect(!others.contains("real/f1"))
        // A folder is left out by a pattern for folders, behind a link too.
        let folder = desk.folder.appendingPathComponent("m/sub")
        try FileManager.default.removeItem(at: folder)
        let without = try await names([.init(includes: false, pattern: "sub/")], deletes: false)
        #expect(!without.contains("sub/b.txt"), "\(without)")
    }
}
