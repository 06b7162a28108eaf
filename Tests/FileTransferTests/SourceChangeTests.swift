import FileProviders
import Foundation
import Testing

@testable import FileTransfer

/// Sources that change while they are copied or moved.
@Suite("Changing sources") struct SourceChangeTests {
    private let desk: Desk

    init() throws { desk = try Desk() }

    private static let time = FileTime(seconds: 1_000_000_000)

    private func write(_ text: String, _ path: ItemPath, at storage: MemoryFileProvider) async throws {
        var options = OperationOptions(overwrite: true)
        options.attributes.modificationTime = Self.time
        try await storage.write(path: path, from: ByteStream(Data(text.utf8)), options: options)
    }

    @Test("a move does not remove a source that was replaced by one of the same size and time")
    func sameSizeAndTime() async throws {
        let source = MemoryFileProvider()
        try await write("old", "s", at: source)
        let target = HookedProvider(afterWrite: { _ in try await write("new", "s", at: source) })
        let plan = try await TransferPlan(
            from: [TransferEndpoint(source, "s")], to: TransferEndpoint(target, "t"),
            options: impatient { $0.removesSources = true })
        let report = try await Transfer(plan).run()
        #expect(report.failures.map { $0.error?.isItemChanged } == [true], "\(report)")
        #expect(try await source.contents(path: "s") == Data("new".utf8))
    }

    @Test("a source that is replaced just before its removal stays")
    func atTheLastMoment() async throws {
        let source = HookedProvider()
        try await write("old", "s", at: source.base)
        let item = try await source.attributesOfItem(path: "s")
        // The lookup still returns the old tag.
        let stale = HookedProvider(on: source.base, telling: { $0.etag = item.etag })
        try await write("new", "s", at: source.base)
        await #expect {
            try await stale.remove("s", ifStill: item)
        } throws: { $0.isItemChanged }
        #expect(try await source.base.contents(path: "s") == Data("new".utf8))
    }

    @Test("a link that is changed meanwhile is not removed by a move")
    func link() async throws {
        let source = MemoryFileProvider()
        try await source.create(symbolicLink: "s", withDestinationPath: "a")
        let item = try await source.attributesOfItem(path: "s")
        try await source.removeItem(path: "s")
        try await source.create(symbolicLink: "s", withDestinationPath: "b")
        await #expect {
            try await source.remove("s", ifStill: item)
        } throws: { $0.isItemChanged }
    }

    @Test("the error for a truncated source is about the source, not the destination")
    func truncated() async throws {
        let bytes = try desk.fill("s", 1000)
        let item = try await desk.provider.attributesOfItem(path: "s")
        let source = SourceStream(
            source: TransferEndpoint(desk.provider, "s"), item: item, hasher: StreamHasher(.sha256), bandwidth: nil)
        let contents = source.stream()
        let cut = HookedProvider(beforeReading: { _ in })
        try await cut.base.writeContents(path: "s", contents: bytes.prefix(10))
        let short = SourceStream(
            source: TransferEndpoint(Unconditional(base: cut), "s"), item: item, hasher: nil, bandwidth: nil)
        #expect(try await contents.collect() == bytes)
        await #expect {
            try await MemoryFileProvider().write(path: "t", from: short.stream(), options: OperationOptions())
        } throws: { $0.isItemChanged && ($0 as? CocoaError)?.filePath == "/s" }
    }
}

/// Ignores the expected version when reading.
private struct Unconditional: FileProvider {
    static let type = MemoryFileProvider.type

    let base: HookedProvider

    var identity: ProviderIdentity { base.identity }
    var context: FileProviderContext { base.context }
    func copy() -> Unconditional { self }
    func checkReachable() async throws {}
    func attributesOfItem(path: ItemPath) async throws -> FileObject { try await base.attributesOfItem(path: path) }
    func listing(path: ItemPath) -> DirectoryListing { base.listing(path: path) }
    func perform(_ operation: FileOperationType, in context: OperationContext) async throws -> FileObject? {
        try await base.perform(operation, in: context)
    }
    func write(path: ItemPath, from source: ByteStream, in context: OperationContext) async throws -> FileObject {
        try await base.write(path: path, from: source, in: context)
    }
    func read(path: ItemPath, range: ByteRange, in context: OperationContext) async throws -> FileContents {
        try await base.read(path: path, range: range, in: OperationContext())
    }
}
