import FileProviders
import FileTransfer
import Foundation
import Testing

/// Storages that do not list everything that they have, and such as do not say what it is.
@Suite struct UnlistedItemTests {
    private let source = MemoryFileProvider()
    private let target = HidingProvider()

    @Test(arguments: TransferOptions.ConflictRule.allCases)
    func `what is hidden at the target is judged like what is listed`(rule: TransferOptions.ConflictRule) async throws {
        try await source.createDirectory(path: "d")
        try await source.writeContents(path: "d/.same", contents: Data("same".utf8))
        try await source.writeContents(path: "d/.other", contents: Data("new, and longer".utf8))
        try await source.writeContents(path: "d/plain", contents: Data("plain".utf8))
        #expect(try await run(rule).isComplete)
        try await target.base.writeContents(
            path: "d/.other", contents: Data("old".utf8), overwrite: true)
        _ = try await target.base.setAttributes(ItemAttributes(modificationTime: FileTime(seconds: 1)), of: "d/.other")

        let report = try await run(rule)
        let replaces = rule == .overwrite || rule == .update
        #expect(report.failures.compactMap(\.target.lastComponent?.text) == (rule == .refuse ? [".other"] : []))
        #expect(report.copied == (replaces ? 1 : 0))
        let other = try await target.base.contents(path: "d/.other")
        #expect(other == Data((replaces ? "new, and longer" : "old").utf8))
        let same = try await target.base.contents(path: "d/.same")
        #expect(same == Data("same".utf8))
    }

    /// As in a multistatus that has 403 for a member.
    @Test func `what a server does not describe is a failure with its reason, and nothing is removed`() async throws {
        let server = HidingProvider(refusing: "closed")
        try await server.base.createDirectory(path: "d")
        for name in ["open", "closed"] {
            try await server.base.writeContents(path: ItemPath(validating: "d/\(name)"), contents: Data(name.utf8))
        }
        let copy = MemoryFileProvider()
        try await copy.createDirectory(path: "copy")
        try await copy.writeContents(path: "copy/extra", contents: Data("extra".utf8))
        var options = TransferOptions()
        options.recursive = true
        options.mirror = MirrorRule()
        options.mirror?.deletes = true
        let plan = try await TransferPlan(
            from: [TransferEndpoint(server, "d")], to: TransferEndpoint(copy, "copy"), options: options)
        let report = try await Transfer(plan).run()
        #expect(report.copied == 1 && report.deleted == 0)
        #expect(report.failures.first?.source == "/d/closed")
        #expect((report.failures.first?.error as? CocoaError)?.code == .fileReadNoPermission)
        #expect(try await copy.contentsOfDirectory(path: "copy").map(\.name).sorted() == ["extra", "open"])
    }

    private func run(_ rule: TransferOptions.ConflictRule) async throws -> TransferReport {
        var options = TransferOptions()
        options.conflict = rule
        options.recursive = true
        let plan = try await TransferPlan(
            from: [TransferEndpoint(source, "d")], to: TransferEndpoint(target, "d"), options: options)
        return try await Transfer(plan).run()
    }
}

/// Memory that lists no names that begin with a dot, and may not say what an item is.
private struct HidingProvider: FileProvider {
    static let type = MemoryFileProvider.type

    let base = MemoryFileProvider()
    /// The name of the item that it says nothing about.
    var refused: String?

    init(refusing refused: String? = nil) { self.refused = refused }

    var identity: ProviderIdentity { base.identity }
    var context: FileProviderContext { base.context }
    func copy() -> HidingProvider { self }
    func checkReachable() async throws {}

    func attributesOfItem(path: ItemPath) async throws -> FileObject {
        guard path.lastComponent?.text != refused else { throw CocoaError(.fileReadNoPermission) }
        return try await base.attributesOfItem(path: path)
    }

    func listing(path: ItemPath) -> DirectoryListing {
        DirectoryListing(page: {
            try await base.contentsOfDirectory(path: path).filter { !$0.name.hasPrefix(".") }.map {
                $0.name == refused ? FileObject(path: $0.path, type: .unknown) : $0
            }
        })
    }

    func characteristics(path: ItemPath) async throws -> ProviderCharacteristics {
        try await base.characteristics(path: path)
    }

    func read(path: ItemPath, range: ByteRange, in context: OperationContext) async throws -> FileContents {
        try await base.read(path: path, range: range, in: context)
    }

    func write(path: ItemPath, from source: ByteStream, in context: OperationContext) async throws -> FileObject {
        try await base.write(path: path, from: source, in: context)
    }

    func perform(_ operation: FileOperationType, in context: OperationContext) async throws -> FileObject? {
        try await base.perform(operation, in: context)
    }
}
