import FileProviderTesting
import FileProviders
import Foundation
import Testing

@testable import FileTransfer

/// Files that take the place of others, while somebody else is at work too.
@Suite("Replacing") struct ReplacingTests {
    private let desk: Desk

    init() throws { desk = try Desk() }

    private func plan(_ options: TransferOptions) async throws -> TransferPlan {
        try await TransferPlan(
            from: [TransferEndpoint(desk.provider, "s")], to: TransferEndpoint(desk.provider, "t"), options: options)
    }

    @Test("a source that grows before its storage copies it costs neither file")
    func growing() async throws {
        try desk.fill("s", 10)
        try desk.fill("t", 5, seed: 2)
        let plan = try await plan(impatient { $0.conflict = .overwrite })
        let grown = try desk.fill("s", 20)
        let report = try await Transfer(plan).run()
        #expect(report.failures.map { $0.error?.isItemChanged } == [true])
        #expect(try desk.read("t") == grown)
    }

    @Test("a copy that is to be read back is made beside the old file, also within one storage")
    func readBack() async throws {
        let moves = Locked(0)
        let storage = HookedProvider(beforeMove: { count in moves.withLock { $0 = count } })
        try await storage.base.writeContents(path: "s", contents: Data("new text".utf8))
        try await storage.base.writeContents(path: "t", contents: Data("old".utf8))
        let plan = try await TransferPlan(
            from: [TransferEndpoint(storage, "s")], to: TransferEndpoint(storage, "t"),
            options: impatient {
                $0.conflict = .overwrite
                $0.verification = .readback
            })
        #expect(try await Transfer(plan).run().isComplete)
        #expect(moves.withLock { $0 } == 1)
        #expect(try await storage.contents(path: "t") == Data("new text".utf8))
    }

    @Test(
        "files that a storage takes for one do not replace each other, whatever is to be replaced",
        arguments: [["s/A", "s/a"], ["s/Dir/x", "s/dir/x"], ["s/Dir/A", "s/dir/a", "s/DIR/b/c"]], [false, true])
    func folded(names: [String], moves: Bool) async throws {
        let (source, target) = (MemoryFileProvider(), RacingFoldingProvider())
        for name in names {
            let path = try ItemPath(validating: name)
            try await source.perform(
                .create(#require(path.parent).asDirectory),
                in: OperationContext(options: OperationOptions(createsParents: true)))
            try await source.writeContents(path: path, contents: Data(name.utf8))
        }
        let plan = try await TransferPlan(
            from: [TransferEndpoint(source, "s")], to: TransferEndpoint(target, "t"),
            options: impatient {
                $0.recursive = true
                $0.conflict = .overwrite
                $0.removesSources = moves
            })
        let report = try await Transfer(plan).run()
        #expect(report.failures.count == names.count - 1, "\(report)")
        var texts: Set<String> = []
        for storage in moves ? [source, target.base] : [target.base] {
            for item in try await storage.recursiveListing(path: .root).collect() where !item.isDirectory {
                texts.insert(String(decoding: try await storage.contents(path: item.path), as: UTF8.self))
            }
        }
        #expect(texts.count == (moves ? names.count : 1))
    }

    @Test(
        "files that a storage takes for one do not replace each other on servers that look before they rename",
        arguments: [["A", "a"], ["caf\u{e9}", "cafe\u{301}"], ["v", "v.", "V.."]],
        [TransferOptions.ConflictRule.refuse, .overwrite, .update])
    func hasty(names: [String], rule: TransferOptions.ConflictRule) async throws {
        for isTree in [false, true] { try await hasty(names, rule, isTree: isTree) }
    }

    private func hasty(_ names: [String], _ rule: TransferOptions.ConflictRule, isTree: Bool) async throws {
        var target = RacingFoldingProvider()
        target.looksFirst = true
        let source = MemoryFileProvider()
        var sources: [TransferEndpoint] = []
        for (index, name) in names.enumerated() {
            let folder: ItemPath = isTree ? "/s" : try ItemPath(validating: "/\(index)")
            try await source.createDirectory(path: folder)
            try await source.writeContents(path: folder.appending(name), contents: Data("\(index)".utf8))
            sources.append(TransferEndpoint(source, try folder.appending(name)))
        }
        if isTree { sources = [TransferEndpoint(source, "/s")] } else { try await target.createDirectory(path: "/t") }
        let plan = try await TransferPlan(
            from: sources, to: TransferEndpoint(target, isTree ? "/t" : "/t/"),
            options: impatient {
                $0.recursive = true
                $0.removesSources = true
                $0.conflict = rule
            })
        for _ in 0..<2 {
            let report = try await Transfer(plan).run()
            #expect(report.failures.count == names.count - 1, "\(report)")
            var texts: Set<String> = []
            for storage in [source, target.base] {
                for item in try await storage.recursiveListing(path: .root).collect() where !item.isDirectory {
                    texts.insert(String(decoding: try await storage.contents(path: item.path), as: UTF8.self))
                }
            }
            #expect(texts.count == names.count)
            guard isTree else { break }
        }
    }

    @Test(
        "a moved copy that fails its verification is removed only if it is what was written", arguments: [false, true])
    func foreign(isOurs: Bool) async throws {
        let (source, base, time) = (MemoryFileProvider(), MemoryFileProvider(), FileTime(seconds: 1_600_000_000))
        try await source.writeContents(path: "s", contents: Data("mine".utf8))
        _ = try await source.setAttributes(ItemAttributes(modificationTime: time), of: "s")
        let there = Data((isOurs ? "torn" : "somebody's").utf8)
        let target = HookedProvider(
            on: base,
            afterWrite: { _ in
                _ = try await base.write(
                    path: "t", from: ByteStream(there),
                    in: OperationContext(
                        options: OperationOptions(
                            overwrite: true, attributes: ItemAttributes(modificationTime: isOurs ? time : nil))))
            },
            telling: { $0.etag = nil })
        let plan = try await TransferPlan(
            from: [TransferEndpoint(source, "s")], to: TransferEndpoint(target, "t"),
            options: impatient {
                $0.removesSources = true
                $0.verification = .readback
                $0.retries.perFile = 0
            })
        let report = try await Transfer(plan).run()
        #expect(report.failures.count == 1, "\(report)")
        #expect(try await source.contents(path: "s") == Data("mine".utf8))
        let left = try? await base.contents(path: "t")
        #expect(left == (isOurs ? nil : there))
    }

    @Test("what a storage lists in another normalization is the same item", arguments: [false, true])
    func normalized(mirrors: Bool) async throws {
        let (source, target) = (MemoryFileProvider(), RacingFoldingProvider())
        let (mine, theirs) = ("cafe\u{301}", "caf\u{e9}")
        for (storage, name) in [(source, mine), (target.base, theirs)] {
            let folder: ItemPath = "/d"
            try await storage.createDirectory(path: folder)
            try await storage.createDirectory(path: folder.appending(name))
            let path = try folder.appending(name).appending("\(name).txt")
            try await storage.writeContents(path: path, contents: Data("text".utf8))
            _ = try await storage.setAttributes(
                ItemAttributes(modificationTime: FileTime(seconds: 1_600_000_000)), of: path)
        }
        let plan = try await TransferPlan(
            from: [TransferEndpoint(source, "/d")], to: TransferEndpoint(target, "/d"),
            options: impatient {
                $0.recursive = true
                if mirrors {
                    $0.mirror = MirrorRule()
                    $0.mirror?.deletes = true
                }
            })
        let report = try await Transfer(plan).run()
        #expect((report.failures.count, report.unchanged, report.deleted, report.copied) == (0, 1, 0, 0), "\(report)")
        #expect(try await target.base.recursiveListing(path: "/").collect().count == 3)
    }

    @Test("a large source that changes while it is read gets no name at a target that takes files only whole")
    func torn() async throws {
        let source = MemoryFileProvider()
        try await source.writeContents(path: "s", contents: Data(count: 9 << 20))
        let changing = HookedReader(source) {
            try await source.writeContents(path: "s", contents: Data(repeating: 1, count: 9 << 20), overwrite: true)
        }
        let target = HookedProvider()
        let plan = try await TransferPlan(
            from: [TransferEndpoint(changing, "s")], to: TransferEndpoint(target, "t"), options: impatient())
        let report = try await Transfer(plan).run()
        #expect(report.failures.map { $0.error?.isItemChanged } == [true], "\(report)")
        #expect(try await target.base.contentsOfDirectory(path: "/").isEmpty)
    }

    @Test("what has come to the target since an interruption is not replaced unasked", arguments: [true, false])
    func stranger(isSkipping: Bool) async throws {
        let size = 24 << 20
        let source = MemoryFileProvider()
        let bytes = try desk.fill("s", size)
        try await source.writeContents(path: "s", contents: bytes)
        let isHurt = Locked(true)
        let broken = HookedReader(source) { if isHurt.withLock({ $0 }) { throw URLError(.networkConnectionLost) } }
        let plan = try await TransferPlan(
            from: [TransferEndpoint(broken, "s")], to: TransferEndpoint(desk.provider, "t"),
            options: impatient {
                $0.retries.perFile = 0
                $0.conflict = isSkipping ? .skip : .refuse
            })
        #expect(try await !Transfer(plan, in: desk.environment).run().isComplete)
        #expect(try desk.journals().count == 1)
        isHurt.withLock { $0 = false }
        let theirs = try desk.fill("t", 100, seed: 3)
        let report = try await Transfer(plan, in: desk.environment).run()
        #expect(report.isComplete == isSkipping)
        #expect(try desk.read("t") == theirs)
    }

    @Test("a file created while another is copied is replaced only if that is requested")
    func whatComesMeanwhile() async throws {
        let target = MemoryFileProvider()
        let source = HookedProvider(beforeReading: { _ in
            _ = try? await target.writeContents(path: "t", contents: Data("somebody else's".utf8))
        })
        try await source.writeContents(path: "s", contents: Data("mine".utf8))
        for (rule, text) in [(TransferOptions.ConflictRule.refuse, "somebody else's"), (.overwrite, "mine")] {
            var options = TransferOptions()
            options.conflict = rule
            // Two memory providers are separate storages, so the bytes pass through this process.
            options.verification = .hash
            try? await target.removeItem(path: "t")
            let plan = try await TransferPlan(
                from: [TransferEndpoint(source, "s")], to: TransferEndpoint(target, "t"), options: options)
            #expect(try await Transfer(plan).run().isComplete == (rule == .overwrite))
            #expect(try await target.contents(path: "t") == Data(text.utf8))
        }
    }
}

extension ReplacingTests {
    @Test(
        "a partial copy is removed if the target has since appeared or disappeared",
        arguments: [TransferOptions.Verification.hash, .readback], [true, false])
    func targetComesAndGoes(verification: TransferOptions.Verification, wasThere: Bool) async throws {
        let source = MemoryFileProvider()
        let bytes = try desk.fill("bytes", 24 << 20)
        try await source.writeContents(path: "s", contents: bytes)
        let isHurt = Locked(true)
        let broken = HookedReader(source) { if isHurt.withLock({ $0 }) { throw URLError(.networkConnectionLost) } }
        let plan = try await TransferPlan(
            from: [TransferEndpoint(broken, "s")], to: TransferEndpoint(desk.provider, "d/t"),
            options: impatient {
                $0.retries.perFile = 0
                $0.conflict = .overwrite
                $0.verification = verification
            })
        try desk.fill("d/other", 1)
        if wasThere { try desk.fill("d/t", 5) }
        #expect(try await !Transfer(plan, in: desk.environment).run().isComplete)
        #expect(try await names().contains { $0.hasPrefix(".fp-") })
        isHurt.withLock { $0 = false }
        if wasThere { try await desk.provider.removeItem(path: "d/t") } else { try desk.fill("d/t", 5) }
        let report = try await Transfer(plan, in: desk.environment).run()
        #expect(report.isComplete, "\(report.failures.compactMap(\.error))")
        #expect(try desk.read("d/t") == bytes)
        #expect(try await names() == ["other", "t"])
        #expect(try desk.journals().isEmpty)
    }

    private func names() async throws -> [String] {
        try await desk.provider.contentsOfDirectory(path: "d").map(\.name).sorted()
    }
}

/// Memory whose reading breaks off half-way.
private struct HookedReader: FileProvider {
    static let type = MemoryFileProvider.type

    let base: MemoryFileProvider
    let halfWay: @Sendable () async throws -> Void

    init(_ base: MemoryFileProvider, halfWay: @escaping @Sendable () async throws -> Void) {
        self.base = base
        self.halfWay = halfWay
    }

    var identity: ProviderIdentity { base.identity }
    var context: FileProviderContext { base.context }
    func copy() -> HookedReader { self }
    func checkReachable() async throws {}
    func attributesOfItem(path: ItemPath) async throws -> FileObject { try await base.attributesOfItem(path: path) }
    func listing(path: ItemPath) -> DirectoryListing { base.listing(path: path) }
    func characteristics(path: ItemPath) async throws -> ProviderCharacteristics {
        try await base.characteristics(path: path)
    }
    func perform(_ operation: FileOperationType, in context: OperationContext) async throws -> FileObject? {
        try await base.perform(operation, in: context)
    }
    func write(path: ItemPath, from source: ByteStream, in context: OperationContext) async throws -> FileObject {
        try await base.write(path: path, from: source, in: context)
    }

    func read(path: ItemPath, range: ByteRange, in context: OperationContext) async throws -> FileContents {
        let contents = try await base.read(path: path, range: range, in: context)
        let halfWay = halfWay
        let bytes = try await contents.bytes.collect()
        let stream = ByteStream(length: Int64(bytes.count)) {
            let parts = Locked([bytes.prefix(bytes.count / 2), bytes.dropFirst(bytes.count / 2)].map { Data($0) })
            return {
                let (part, isSecond) = parts.withLock { parts in
                    parts.isEmpty ? (nil, false) : (parts.removeFirst(), parts.isEmpty)
                }
                if isSecond { try await halfWay() }
                return part
            }
        }
        return FileContents(head: contents.head, bytes: stream)
    }
}
