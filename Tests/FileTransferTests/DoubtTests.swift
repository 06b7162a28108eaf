import FileProviders
import Foundation
import Testing

/// What size and time do not tell: whether bytes are the same, and whether two addresses are one item's.
@Suite("Doubtful sameness", .enabled(if: !Place.names.isEmpty)) struct DoubtTests {
    private let desk: Desk

    init() throws { desk = try Desk() }

    private func copy(
        _ source: TransferEndpoint, to target: TransferEndpoint, _ adjust: (inout TransferOptions) -> Void = { _ in }
    ) async throws -> TransferReport {
        let plan = try await TransferPlan(from: [source], to: target, options: impatient(adjust))
        return try await Transfer(plan).run()
    }

    private func write(_ text: String, _ name: String) throws {
        try Data(text.utf8).write(to: desk.folder.appendingPathComponent(name))
    }

    @Test("an edit in the second of the upload is not taken for what was uploaded", arguments: Place.names)
    func edited(server: String) async throws {
        let place = try await Place(server)
        let (source, target) = (
            TransferEndpoint(desk.provider, "v"), TransferEndpoint(place.provider, try place.folder.appending("v"))
        )
        try write("1", "v")
        #expect(try await copy(source, to: target).copied == 1)
        #expect(try await copy(source, to: target).unchanged == 1)
        try write("2", "v")
        let refused = try await copy(source, to: target)
        #expect(refused.failures.first?.error?.isFileExists == true, "\(refused)")
        #expect(try await copy(source, to: target) { $0.conflict = .update }.copied == 1)
        #expect(try await place.provider.contents(path: target.path) == Data("2".utf8))
        try write("3", "v")
        #expect(try await copy(source, to: target) { $0.conflict = .overwrite }.copied == 1)
        #expect(try await place.provider.contents(path: target.path) == Data("3".utf8))
    }

    @Test("a few equal files show that a storage keeps times; the rest is not read", arguments: [false, true])
    func learned(hasOwnTimes: Bool) async throws {
        let reads = Locked(0)
        let target = HookedProvider(
            beforeReading: { _ in reads.withLock { $0 += 1 } }, knowing: { $0.settableTimePrecision = nil })
        let source = MemoryFileProvider()
        for storage in [source, target.base] {
            try await storage.createDirectory(path: "d")
            for index in 0..<12 {
                let path = try ItemPath(validating: "d/\(index)")
                try await storage.writeContents(path: path, contents: Data("text".utf8))
                let time = FileTime(seconds: 1_600_000_000 + (hasOwnTimes ? Int64(index) : 0))
                _ = try await storage.setAttributes(ItemAttributes(modificationTime: time), of: path)
            }
        }
        let report = try await copy(TransferEndpoint(source, "d"), to: TransferEndpoint(target, "d")) {
            $0.recursive = true
            $0.concurrency = 1
        }
        #expect(report.unchanged == 12 && report.isComplete, "\(report)")
        #expect(reads.withLock { $0 } == (hasOwnTimes ? 5 : 12))
    }

    @Test("one file with another time shows that a storage does not keep them")
    func refuted() async throws {
        let reads = Locked(0)
        let target = HookedProvider(
            beforeReading: { _ in reads.withLock { $0 += 1 } }, knowing: { $0.settableTimePrecision = nil })
        let source = MemoryFileProvider()
        for (index, storage) in [source, target.base].enumerated() {
            try await storage.createDirectory(path: "d")
            for name in 0..<12 {
                let path = try ItemPath(validating: "d/\(name)")
                try await storage.writeContents(path: path, contents: Data("text".utf8))
                let delay = name == 0 ? Int64(index) * 60 : 0
                _ = try await storage.setAttributes(
                    ItemAttributes(modificationTime: FileTime(seconds: 1_600_000_000 + Int64(name) + delay)), of: path)
            }
        }
        let report = try await copy(TransferEndpoint(source, "d"), to: TransferEndpoint(target, "d")) {
            $0.recursive = true
            $0.concurrency = 1
        }
        #expect(report.unchanged == 12 && report.isComplete, "\(report)")
        #expect(reads.withLock { $0 } == 11)
    }

    @Test("what is moved onto itself by another address stays", arguments: [false, true])
    func movedOntoItself(overwrites: Bool) async throws {
        // Its tags hold no time, by which a file that was written onto itself would show as changed.
        let place = try await Place("NGINX")
        let file = try place.folder.appending("one")
        try await place.provider.writeContents(path: file, contents: Data("only".utf8))
        var parts = try #require(URLComponents(url: place.provider.configuration.url, resolvingAgainstBaseURL: true))
        parts.host = "localhost"
        let alias = try WebDAVFileProvider(
            configuration: WebDAVConfiguration(url: #require(parts.url)), credential: nil)
        let report = try await copy(TransferEndpoint(alias, file), to: TransferEndpoint(place.provider, file)) {
            $0.removesSources = true
            $0.conflict = overwrites ? .overwrite : .refuse
        }
        #expect(report.copied == 0, "\(report)")
        #expect(try await place.provider.contents(path: file) == Data("only".utf8))
        #expect(try place.strays().isEmpty)
    }

    @Test("two items that would get one name by mapping are not both moved", arguments: [false, true])
    func mappedNames(areNamed: Bool) async throws {
        let place = try await Place("SABRE")
        let names = try [ItemName(validating: [0x61, 0xFF]), ItemName(validating: "=fp=a%FF")]
        try await desk.provider.createDirectory(path: "nm")
        for (name, text) in zip(names, ["Y", "XXXXXX"]) {
            try await desk.provider.writeContents(
                path: ItemPath("nm").appending(name), contents: Data(text.utf8))
        }
        let target = TransferEndpoint(place.provider, try place.folder.appending("t"))
        let options = impatient { options in
            options.names = .map
            options.removesSources = true
        }
        if areNamed {
            try await place.provider.createDirectory(path: target.path)
            await #expect(throws: CocoaError.self) {
                try await TransferPlan(
                    from: names.map { TransferEndpoint(desk.provider, ItemPath("nm").appending($0)) }, to: target,
                    options: options)
            }
        } else {
            let plan = try await TransferPlan(
                from: [TransferEndpoint(desk.provider, "nm")], to: target, options: options)
            let report = try await Transfer(plan).run()
            #expect(report.copied == 1 && report.failures.count == 1, "\(report)")
            let (here, there) = (
                try await desk.provider.contentsOfDirectory(path: "nm"),
                try await place.provider.contentsOfDirectory(path: target.path)
            )
            #expect((here.count, there.count) == (1, 1))
            #expect(Set((here + there).map(\.size)) == [1, 6], "both are somewhere")
        }
    }

    @Test("what is named is found again under the name that it was mapped to", arguments: [false, true])
    func mappedAgain(isFolder: Bool) async throws {
        let place = try await Place("SABRE")
        let name = try ItemName(validating: [0x61, 0xFF])
        let path = ItemPath.root.appending(name)
        if isFolder {
            try await desk.provider.createDirectory(path: path)
            try await desk.provider.writeContents(path: path.appending("f"), contents: Data("text".utf8))
        } else {
            try await desk.provider.writeContents(path: path, contents: Data("text".utf8))
        }
        let target = TransferEndpoint(place.provider, place.folder.asDirectory)
        for time in 1...2 {
            let report = try await copy(TransferEndpoint(desk.provider, path), to: target) { $0.names = .map }
            #expect(report.isComplete && report.copied == (time == 1 ? 1 : 0), "\(report)")
        }
        let back = TransferEndpoint(place.provider, try place.folder.appending("=fp=a%FF"))
        try await desk.provider.createDirectory(path: "back")
        let report = try await copy(back, to: TransferEndpoint(desk.provider, ItemPath("back").asDirectory)) {
            $0.names = .map
        }
        #expect(report.isComplete)
        #expect(try await desk.provider.contentsOfDirectory(path: "back").map(\.itemName) == [name])
    }

    @Test("a mirror's filter knows mapped names by what they stand for")
    func mappedFilter() async throws {
        let (source, target) = (MemoryFileProvider(), MemoryFileProvider())
        for (provider, name) in [(source, "s/k"), (target, "m/k"), (target, "m/=fp=a%3Ab")] {
            let path = try ItemPath(validating: name)
            try await provider.createDirectory(path: path.parent ?? .root, createsParents: true)
            try await provider.writeContents(path: path, contents: Data("text".utf8))
        }
        let report = try await copy(TransferEndpoint(source, "s"), to: TransferEndpoint(target, "m")) { options in
            options.mirror = MirrorRule()
            options.mirror?.deletes = true
            options.names = .map
            options.filter = TransferFilter([TransferFilter.Rule(includes: false, pattern: "a:*")])
        }
        #expect(report.isComplete && report.deleted == 0, "\(report)")
    }

    @Test("a person's own names are copied, and what is no file is an error where it was named")
    func oddItems() async throws {
        try desk.fill("d/.fp-mine.tmp", 5)
        let place = try await Place("APACHE")
        let target = TransferEndpoint(place.provider, try place.folder.appending("d"))
        #expect(try await copy(TransferEndpoint(desk.provider, "d"), to: target).copied == 1)
        #expect(mkfifo(desk.folder.appendingPathComponent("pipe").path, 0o600) == 0)
        let report = try await copy(TransferEndpoint(desk.provider, "pipe"), to: target)
        #expect(report.failures.count == 1, "\(report)")
    }
}
