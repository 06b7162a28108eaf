import FileProviding
import Foundation
import MemoryFiles
import ProviderAdapter
import TestSupport
import Testing

@testable import CloudCore

/// Scenario 10, with a hundred thousand items where `FP_TEST_CAMPAIGN=full`, else a twentieth of them.
@Suite struct LargeVaultTests {
    private static let folders = Campaign.isFull ? 100 : 50
    private static let filesPerFolder = Campaign.isFull ? 1_000 : 100

    @Test(
        "10: many items, a folder moved on the server, writes here, a full disk: queries are as a fresh walk",
        .enabled(if: SmallDisk.isExpected, "no right to mount a small file system"))
    func largeVault() async throws {
        let disk = try #require(SmallDisk(megabytes: Campaign.isFull ? 200 : 16))
        let provider = MemoryFileProvider()
        for folder in 0..<Self.folders {
            try await provider.createDirectory(path: ItemPath(validating: "/top/f\(folder)"), createsParents: true)
            for file in 0..<Self.filesPerFolder {
                let path = try ItemPath(validating: "/top/f\(folder)/file \(file)")
                try await provider.writeContents(path: path, contents: Data("\(file)".utf8))
            }
        }
        let bookmark = try Bookmark(name: "Memory", url: #require(URL(string: "mem:test/")))
        let core = Core(vault: try Vault(of: bookmark, in: disk.folder), connection: ProviderAdapter(provider))
        try await scanAll(core)
        let total = Self.folders * (Self.filesPerFolder + 1) + 1
        #expect(try await core.summary().items == total)
        let query = Query(.custom)
        core.start(query)
        for await notification in query where notification.state == .idle { break }
        #expect(query.queryResults.count == total)
        var rows: [Item] = []
        query.changes().apply(to: &rows)

        // All at once: the folder moves there, files are edited and made here, and the disk has no room for half of it.
        let accepted = Locked<Set<String>>([])
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await provider.moveItem(path: "/top", to: "/moved") }
            group.addTask { for _ in 0..<3 { try? await scanAll(core) } }
            group.addTask { for _ in 0..<3 { try? await core.settle() } }
            for writer in 0..<4 {
                group.addTask {
                    for number in 0..<20 {
                        try? await write(number, of: writer, core) { name in accepted.withLock { _ = $0.insert(name) } }
                    }
                }
            }
            group.addTask { try disk.fill() }
            try await group.waitForAll()
        }
        let isFull = try? await core.submit(
            .upload(ByteStream(Data(count: 1 << 20)), as: "too large", in: .root))
        #expect(isFull == nil)
        try disk.empty()
        try await write(100, of: 0, core) { name in accepted.withLock { _ = $0.insert(name) } }

        for _ in 0..<2 {
            try await core.settle()
            // What met the full disk is tried again a little later.
            for record in try await core.syncRecords() where !record.waits.contains(.answer) {
                _ = try? await core.pendingCommand(record.id)?.item
            }
            try await scanAll(core)
        }
        try await core.refresh(query)
        #expect(try await core.syncRecords().isEmpty)
        query.changes().apply(to: &rows)
        #expect(rows == query.queryResults)
        let walked = try await provider.recursiveListing(path: .root).collect().map { "\($0.path) \($0.size ?? -1)" }
        #expect(query.queryResults.map { "\($0.path) \($0.size ?? -1)" }.sorted() == walked.sorted())
        #expect(walked.contains { $0.hasPrefix("/moved/f0/") } && !walked.contains { $0.hasPrefix("/top/f0/") })
        // Whatever was accepted arrived.
        let made = Set(
            walked.compactMap { $0.split(separator: "/").last?.split(separator: " ").dropLast() }.map {
                $0.joined(separator: " ")
            })
        #expect(accepted.withLock { $0.subtracting(made) } == [] && made.contains("made 0-100"))
        try await core.close()
    }

    private func scanAll(_ core: Core) async throws { while try await !core.scan(budget: 100_000).isComplete {} }

    private func write(
        _ number: Int, of writer: Int, _ core: Core, accepted: @Sendable (String) -> Void
    ) async throws {
        let there = try await core.item(at: ItemPath(validating: "/moved/f\(writer)"))
        let here = try await core.item(at: ItemPath(validating: "/top/f\(writer)"))
        guard let folder = (here ?? there)?.localID else { return }
        let name = try ItemName(validating: "made \(writer)-\(number)")
        _ = try await core.submit(.upload(ByteStream(Data("made".utf8)), as: name, in: folder))
        accepted(name.text)
        guard let file = try await core.children(of: folder).dropFirst(number).first, file.type == .regular else {
            return
        }
        _ = try await core.submit(.modify(file.localID, ByteStream(Data("edited by \(writer)".utf8))))
    }
}
