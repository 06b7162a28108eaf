import CloudCore
import FileProviders
import Foundation
import ProviderAdapter
import TestSupport
import Testing

/// Versions of files that were just sent, on a server whose replies do not tell them.
@Suite struct WrittenFilesTests {
    private static let servers = SyncSubject.running.filter { [.apache, .sabre].contains($0) }

    @Test(arguments: servers)
    func `files of one directory are looked at together, and each is known as the server has it`(
        subject: SyncSubject
    ) async throws {
        try await subject.withFolder { provider in
            let provider = try #require(provider as? WebDAVFileProvider)
            // What kind of server it is, is found out before anything is counted.
            try await provider.writeContents(path: "/first", contents: Data("1".utf8))
            // All go at once: none is the last before the last one is.
            let vault = try VaultOver(provider, budget: SyncBudget(total: 60, transfers: 60, uploads: 60))
            try await vault.scanAll()
            for number in 0..<60 {
                let contents = ByteStream(Data("number \(number)".utf8))
                _ = try await vault.core.submit(
                    .upload(contents, as: ItemName(validating: "file \(number)"), in: .root))
            }
            let before = provider.session.requestCount
            try await vault.core.settle()
            let looks = provider.session.requestCount - before - 60 * (subject == .apache ? 1 : 2)
            #expect(try await vault.core.syncRecords().isEmpty)
            #expect(looks <= 20, "\(looks) requests besides those that send a file")
            let present = try await provider.contentsOfDirectory(path: .root)
            #expect(present.count == 61)
            for file in present where file.itemName.text != "first" {
                let item = try #require(try await vault.core.item(at: file.path))
                #expect(item.etag?.opaque == file.etag?.opaque && item.size == file.size)
                #expect(item.cloudStatus == .localCopy)
            }
            let anchor = try await vault.core.changes(since: .beginning)?.anchor
            try await vault.core.deepCheck()
            try await vault.scanAll()
            #expect(try await vault.core.changes(since: #require(anchor))?.items.filter { !$0.isDirectory } == [])
        }
    }

    @Test func `one that waits for the others is told when the last of them fails`() async throws {
        let provider = MemoryFileProvider()
        try await provider.createDirectory(path: "/folder")
        let vault = try VaultOver(provider)
        try await vault.scanAll()
        let folder = try #require(try await vault.core.item(at: "/folder")).localID
        for number in 0..<20 {
            _ = try await vault.core.submit(
                .upload(ByteStream(Data("ours".utf8)), as: ItemName(validating: "file \(number)"), in: folder))
        }
        // Somebody else has every second name.
        for number in stride(from: 0, to: 20, by: 2) {
            try await provider.writeContents(
                path: ItemPath(validating: "/folder/file \(number)"), contents: Data("theirs".utf8))
        }
        try await vault.core.settle()
        #expect(try await vault.core.issues().filter { $0.id.kind == .conflict }.count == 10)
        #expect(try await vault.core.syncRecords().count == 10)
    }

    /// On a server that looks whether a name is free, and then writes.
    @Test func `what somebody writes over at the same moment is not given up without a question`() async throws {
        let provider = OverwrittenProvider()
        let vault = try VaultOver(provider)
        try await vault.scanAll()
        _ = try await vault.core.submit(
            .upload(ByteStream(Data("ours".utf8)), as: ItemName(validating: "file"), in: .root))
        try await vault.core.settle()
        #expect(try await vault.core.issues().map(\.id.kind) == [.conflict])
        let issue = try #require(try await vault.core.issues().first)
        let item = try #require(try await vault.core.item(at: "/file"))
        #expect(item.newerVersion?.size == 12)
        try await vault.core.resolve(issue, with: .keepBoth)
        try await vault.core.settle()
        try await vault.scanAll()
        let texts = try await provider.base.contentsOfDirectory(path: .root).map(\.size)
        #expect(Set(texts) == [4, 12] && texts.count == 2)
    }
}

/// Memory in which somebody else writes right after the first write.
private struct OverwrittenProvider: FileProvider {
    static let type = MemoryFileProvider.type

    let base = MemoryFileProvider()
    private let isFirst = Locked(true)

    var identity: ProviderIdentity { base.identity }
    var context: FileProviderContext { base.context }
    func copy() -> OverwrittenProvider { self }
    func checkReachable() async throws {}

    func attributesOfItem(path: ItemPath) async throws -> FileObject { try await base.attributesOfItem(path: path) }
    func listing(path: ItemPath) -> DirectoryListing { base.listing(path: path) }

    func characteristics(path: ItemPath) async throws -> ProviderCharacteristics {
        try await base.characteristics(path: path)
    }

    func read(path: ItemPath, range: ByteRange, in context: OperationContext) async throws -> FileContents {
        try await base.read(path: path, range: range, in: context)
    }

    func write(path: ItemPath, from source: ByteStream, in context: OperationContext) async throws -> FileObject {
        var written = try await base.write(path: path, from: source, in: context)
        // As on servers whose replies to PUT have no tag.
        written.etag = nil
        if isFirst.withLock({ $0.take() }) {
            try await base.writeContents(path: path, contents: Data("theirs, long".utf8), overwrite: true)
        }
        return written
    }

    func perform(_ operation: FileOperationType, in context: OperationContext) async throws -> FileObject? {
        try await base.perform(operation, in: context)
    }
}

extension Bool {
    /// Returns the value, which is `false` from then on.
    fileprivate mutating func take() -> Bool {
        defer { self = false }
        return self
    }
}
