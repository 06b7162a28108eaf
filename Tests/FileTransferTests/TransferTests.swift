import FileProviders
import Foundation
import Testing

@Suite("Transfers") struct TransferTests {
    private let source = MemoryFileProvider()
    private let target = MemoryFileProvider()

    private func fill(_ files: [ItemPath: String]) async throws {
        for (path, text) in files {
            if let parent = path.parent, !parent.isRoot {
                try await source.createDirectory(path: parent, createsParents: true)
            }
            try await source.writeContents(path: path, contents: Data(text.utf8), overwrite: true)
        }
    }

    private func copy(
        _ path: ItemPath = "/", to destination: ItemPath = "/", _ adjust: (inout TransferOptions) -> Void = { _ in }
    ) async throws -> TransferReport {
        var options = TransferOptions()
        options.recursive = true
        adjust(&options)
        let plan = try await TransferPlan(
            from: [TransferEndpoint(source, path)], to: TransferEndpoint(target, destination), options: options)
        return try await Transfer(plan).run()
    }

    private func text(_ path: ItemPath) async throws -> String {
        String(decoding: try await target.contents(path: path), as: UTF8.self)
    }

    @Test("a source that changed while it was moved stays")
    func changedWhileMoved() async throws {
        try await fill(["f": "as it was read"])
        let source = source
        let target = HookedProvider { _ in
            try await source.writeContents(path: "f", contents: Data("and something new".utf8), overwrite: true)
        }
        var options = TransferOptions()
        options.removesSources = true
        let plan = try await TransferPlan(
            from: [TransferEndpoint(source, "f")], to: TransferEndpoint(target, "f"), options: options)
        let report = try await Transfer(plan).run()
        #expect(report.failures.count == 1)
        #expect(try await source.contents(path: "f") == Data("and something new".utf8))
    }

    @Test("a link that takes an item's place in the second attempt leaves no name of the first")
    func repeatedLink() async throws {
        try await source.create(symbolicLink: "l", withDestinationPath: "there")
        let target = HookedProvider(beforeMove: { count in if count == 1 { throw URLError(.networkConnectionLost) } })
        try await target.base.writeContents(path: "l", contents: Data("old".utf8))
        let plan = try await TransferPlan(
            from: [TransferEndpoint(source, "l")], to: TransferEndpoint(target, "l"),
            options: impatient { $0.conflict = .overwrite })
        #expect(try await Transfer(plan).run().isComplete)
        let names = try await target.base.contentsOfDirectory(path: "/").map(\.name)
        #expect(names == ["l"])
        #expect(try await target.base.destination(ofSymbolicLink: "l") == "there")
    }

    @Test("a folder that is closed to others, or to its owner, is closed at the target too when everything is in it")
    func permissions() async throws {
        for (path, permissions) in [("private", 0o700), ("shared", 0o755), ("sealed", 0o500)] as [(ItemPath, UInt16)] {
            try await fill([path.appending(ItemName(validating: "f")): "1"])
            _ = try await source.setAttributes(ItemAttributes(permissions: permissions), of: path)
        }
        #expect(try await copy("/", to: "/copy").isComplete)
        let found = try await target.contentsOfDirectory(path: "/copy").map { $0.permissions.map { $0 & 0o777 } }
        #expect(Set(found) == [0o700, 0o755, 0o500])
        #expect(try await copy("/", to: "/plain") { $0.keepsPermissions = false }.isComplete)
        let plain = try await target.contentsOfDirectory(path: "/plain").map { $0.permissions.map { $0 & 0o777 } }
        #expect(Set(plain).count == 1)
    }

    @Test("a tree arrives whole, with its empty directories and times")
    func tree() async throws {
        try await fill(["a": "1", "d/b": "22", "d/e/c ü%20#?": "333"])
        try await source.createDirectory(path: "empty")
        let report = try await copy()
        #expect(report.isComplete)
        #expect(report.copied == 3)
        #expect(report.bytes == 6)
        #expect(try await text("d/e/c ü%20#?") == "333")
        #expect(try await target.attributesOfItem(path: "empty").isDirectory)
        let times = try await (
            source.attributesOfItem(path: "a").modificationTime, target.attributesOfItem(path: "a").modificationTime
        )
        #expect(times.0 == times.1)
    }

    @Test("a second run finds everything the same")
    func again() async throws {
        try await fill(["a": "1", "d/b": "22"])
        _ = try await copy()
        let report = try await copy()
        #expect(report.copied == 0)
        #expect(report.unchanged == 2)
    }

    @Test("an existing file that differs is refused, named, and the rest is copied")
    func conflict() async throws {
        try await fill(["a": "new a", "b": "b"])
        try await target.writeContents(path: "a", contents: Data("old".utf8))
        let report = try await copy()
        #expect(report.copied == 1)
        #expect(report.failures.map(\.target.description) == ["/a"])
        #expect(report.failures.first?.error?.isFileExists == true)
        #expect(report.failures.first?.error?.transferRefusal == .otherFile)
        #expect(try await text("a") == "old")
    }

    @Test(
        "conflict rules",
        arguments: [
            (TransferOptions.ConflictRule.overwrite, "new"), (.skip, "old!"), (.update, "old!"),
        ])
    func rules(_ rule: TransferOptions.ConflictRule, _ expected: String) async throws {
        try await fill(["a": "new"])
        try await target.write(
            path: "a", from: ByteStream(Data("old!".utf8)),
            options: OperationOptions(attributes: ItemAttributes(modificationTime: FileTime(seconds: 4_000_000_000))))
        let report = try await copy { $0.conflict = rule }
        #expect(report.isComplete)
        #expect(try await text("a") == expected)
    }

    @Test("a file in the place of a directory is an error, and neither is lost")
    func fileAgainstDirectory() async throws {
        try await fill(["d/b": "22", "x": "1"])
        try await target.writeContents(path: "d", contents: Data("file".utf8))
        let report = try await copy { $0.conflict = .overwrite }
        #expect(!report.isComplete)
        #expect(try await text("d") == "file")
        #expect(try await text("x") == "1")
    }

    @Test(
        "each way of verifying says how sure it is",
        arguments: [
            (TransferOptions.Verification.size, "verified by size"), (.readback, "verified by reading back"),
            (.none, "unverified: not asked for"),
        ])
    func verification(_ way: TransferOptions.Verification, _ words: String) async throws {
        try await fill(["a": "some bytes"])
        let assurances = Locked<[String]>([])
        var options = TransferOptions()
        options.verification = way
        let plan = try await TransferPlan(
            from: [TransferEndpoint(source, "a")], to: TransferEndpoint(target, "b"), options: options)
        _ = try await Transfer(plan).run { event in
            if case .ended(let receipt) = event, let assurance = receipt.assurance {
                assurances.withLock { $0.append(assurance.description) }
            }
        }
        #expect(assurances.withLock { $0 } == [words])
    }

    @Test("a dry run changes nothing")
    func dryRun() async throws {
        try await fill(["a": "1", "d/b": "22"])
        let report = try await copy { $0.dryRun = true }
        #expect(report.copied == 2)
        #expect(try await target.contentsOfDirectory(path: "/").isEmpty)
    }

    @Test("links are copied as links, or skipped")
    func links() async throws {
        try await fill(["a": "1"])
        try await source.create(symbolicLink: "link", withDestinationPath: "a")
        _ = try await copy()
        #expect(try await target.destination(ofSymbolicLink: "link") == "a")
        try await target.removeItem(path: "link")
        let report = try await copy { $0.symlinks = .skip }
        #expect(report.skipped == 1)
        #expect(try await !target.itemExists(path: "link"))
    }

    @Test("each file is flushed where that is asked for, also one that is moved into place", arguments: [true, false])
    func flush(isWanted: Bool) async throws {
        try await fill(["new": "1", "old": "22"])
        let target = HookedProvider()
        try await target.base.writeContents(path: "old", contents: Data("before".utf8))
        var options = TransferOptions()
        (options.recursive, options.flush, options.conflict) = (true, isWanted, .overwrite)
        let plan = try await TransferPlan(
            from: [TransferEndpoint(source, "/")], to: TransferEndpoint(target, "/"), options: options)
        #expect(try await Transfer(plan).run().copied == 2)
        let flushes = target.flushes.withLock { $0 }
        #expect(flushes.count >= 2 && flushes.allSatisfy { $0 == isWanted }, "\(flushes)")
    }

    @Test("a thousand files in a hundred directories")
    func many() async throws {
        var files: [ItemPath: String] = [:]
        for index in 0..<1000 { files[try ItemPath(validating: "d\(index % 100)/f\(index)")] = "contents \(index)" }
        try await fill(files)
        let report = try await copy()
        #expect(report.isComplete)
        #expect(report.copied == 1000)
        for (path, text) in files { #expect(try await self.text(path) == text) }
    }

    @Test("a cancelled transfer ends with CancellationError")
    func cancellation() async throws {
        try await fill(["a": "1"])
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            _ = try await copy()
        }
        await #expect(throws: CancellationError.self) { try await task.value }
    }

    @Test("what a cancelled transfer has done is still told")
    func reportOfCancelled() async throws {
        for number in 0..<500 {
            try await source.writeContents(path: ItemPath(validating: "\(number)"), contents: Data("x".utf8))
        }
        var options = TransferOptions()
        options.recursive = true
        options.concurrency = 1
        let plan = try await TransferPlan(
            from: [TransferEndpoint(source, .root)], to: TransferEndpoint(target, .root), options: options)
        let transfer = Transfer(plan)
        #expect(transfer.reportSoFar.copied == 0)
        for await event in transfer {
            if case .ended(let receipt) = event, receipt.outcome == .copied { transfer.cancel() }
        }
        await #expect(throws: CancellationError.self) { try await transfer.report }
        let copied = try await target.recursiveListing(path: .root).collect().count
        #expect(copied > 0 && copied < 500 && transfer.reportSoFar.copied == copied)
    }

    @Test("what is not known to be newer replaces nothing")
    func unknownTimes() async throws {
        try await source.writeContents(path: "f", contents: Data("theirs".utf8))
        try await target.writeContents(path: "f", contents: Data("my own".utf8))
        let timeless = HookedProvider(telling: { $0.modificationTime = nil })
        try await timeless.base.writeContents(path: "f", contents: Data("theirs".utf8))
        let plan = try await TransferPlan(
            from: [TransferEndpoint(timeless, "f")], to: TransferEndpoint(target, "f"),
            options: impatient { $0.conflict = .update })
        #expect(try await Transfer(plan).run().skipped == 1)
        #expect(try await text("f") == "my own")
    }

    @Test("a storage's own copy is verified only where that is asked for")
    func serverCopy() async throws {
        let place = try await Place("APACHE")
        let file = try place.folder.appending("f")
        try await place.provider.writeContents(path: file, contents: Data("bytes".utf8))
        for (name, verification, assurance) in [
            ("a", TransferOptions.Verification.automatic, Assurance.unverified("copied by the storage itself")),
            ("b", .size, .size),
        ] {
            let plan = try await TransferPlan(
                from: [TransferEndpoint(place.provider, file)],
                to: TransferEndpoint(place.provider, place.folder.appending(name)),
                options: impatient { $0.verification = verification })
            var found: [Assurance?] = []
            for await event in Transfer(plan) {
                if case .ended(let receipt) = event { found.append(receipt.assurance) }
            }
            #expect(found == [assurance])
        }
    }

    /// What the storage itself has damaged is removed; what another client has written meanwhile is not.
    @Test(
        "a hash that a storage only repeats does not stand for the bytes that it has", arguments: [false, true])
    func echoedHash(isAnothers: Bool) async throws {
        try await source.writeContents(path: "f", contents: Data("as they were sent".utf8))
        let sent = try #require(await source.checksum(path: "f", algorithm: .sha256))
        let damaged = Locked<HookedProvider?>(nil)
        let target = HookedProvider(
            afterWrite: { _ in
                guard let base = damaged.withLock({ $0 })?.base else { return }
                let time = try await base.attributesOfItem(path: "f").modificationTime
                var options = OperationOptions(overwrite: true)
                options.attributes.modificationTime = isAnothers ? FileTime(seconds: 1) : time
                _ = try await base.write(
                    path: "f", from: ByteStream(Data("as it was, stored".utf8)), options: options)
            },
            telling: { item in
                item.checksums = [sent]
                item.etag = nil
            }, knowing: { $0.computesChecksums = false })
        damaged.withLock { $0 = target }
        let plan = try await TransferPlan(
            from: [TransferEndpoint(source, "f")], to: TransferEndpoint(target, "f"),
            options: impatient { $0.verification = .hash })
        let report = try await Transfer(plan).run()
        #expect(report.failures.count == 1, "\(report)")
        #expect(try await target.base.contentsOfDirectory(path: "/").isEmpty != isAnothers)
    }

    @Test("a dry run into a folder that is missing fails as the run does")
    func missingFolder() async throws {
        try await fill(["a": "1", "b": "2"])
        let sources = [TransferEndpoint(source, "a"), TransferEndpoint(source, "b")]
        let missing = TransferEndpoint(target, "missing")
        for isDryRun in [true, false] {
            let options = impatient { $0.dryRun = isDryRun }
            let report = try await Transfer(TransferPlan(from: sources, to: missing, options: options)).run()
            #expect(report.failures.count == 2 && report.failures.allSatisfy { $0.error?.isNoSuchFile ?? false })
        }
    }
}
