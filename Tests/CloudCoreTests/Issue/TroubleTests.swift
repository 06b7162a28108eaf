import FileProviderTesting
import FileProviding
import Foundation
import MemoryFiles
import ProviderAdapter
import TestSupport
import Testing

@testable import CloudCore

/// The vault's own disk fails: an error or an issue each, nothing lost, and all is well once the disk is.
@Suite struct TroubleTests {
    private let bookmark: Bookmark
    private let provider = MemoryFileProvider()

    init() throws { bookmark = try Bookmark(name: "Memory", url: #require(URL(string: "mem:test/"))) }

    private func opened(in folder: LocalPath) throws -> Core {
        Core(vault: try Vault(of: bookmark, in: folder), connection: ProviderAdapter(provider))
    }

    private func write(files: Range<Int>) async throws {
        for number in files {
            try await provider.writeContents(
                path: ItemPath(validating: "/a file with a longer name, number \(number)"), contents: Data("x".utf8))
        }
    }

    @Test(.enabled(if: SmallDisk.isExpected, "no right to mount a small file system"))
    func `a full disk is an issue while looking for changes, until there is room again`() async throws {
        let disk = try #require(SmallDisk())
        let core = try opened(in: disk.folder)
        try await write(files: 0..<3)
        try await core.scan()
        try disk.fill()
        try await write(files: 3..<1_000)
        let delegate = RecordingIssueDelegate()
        try await core.setIssueDelegate(delegate)
        let clock = SteppingClock()
        let running = Task { await core.run(every: .seconds(60), clock: clock) }
        await delegate.reaches { $0.count == 1 }
        #expect(delegate.events.first?.hasPrefix("raised storage-full ") == true)
        #expect(try await core.issues().map(\.id.kind) == [.storageFull])
        #expect(try await core.item(at: "/a file with a longer name, number 2") != nil)
        await #expect(throws: CocoaError.self) {
            try await core.resolve(CloudCore.Issue.ID(.storageFull), with: .retry)
        }
        #expect(try await core.issues().map(\.id.kind) == [.storageFull])
        try disk.empty()
        try await core.resolve(CloudCore.Issue.ID(.storageFull), with: .retry)
        #expect(try await core.issues().isEmpty)
        #expect(try await core.item(at: "/a file with a longer name, number 999") != nil)
        running.cancel()
        await running.value
        try await core.close()
    }

    @Test func `trouble stays told while nothing is done that would meet it again`() async throws {
        let server = try Server(tells: false)
        server.connection.fail(with: URLError(.userAuthenticationRequired))
        await server.core.reconnect()
        let full = cocoaError(server.core.vault.folder, code: .fileWriteOutOfSpace, reason: "no room")
        #expect(await server.core.issueBoard.note(full))
        let clock = SteppingClock()
        let running = Task { await server.core.run(every: .seconds(60), clock: clock) }
        for _ in 1...4 {
            await clock.untilAsleep(2)
            clock.step()
        }
        await clock.untilAsleep(2)
        #expect(try await server.core.issues().map(\.id.kind) == [.authenticationNeeded, .storageFull])
        server.connection.fail(with: nil)
        await server.core.reconnect()
        while try await !server.core.issues().isEmpty {
            await clock.untilAsleep(2)
            clock.step()
        }
        running.cancel()
        await running.value
    }

    @Test(.enabled(if: SmallDisk.isExpected, "no right to mount a small file system"))
    func `a vault on a full disk opens, shows what it has, and takes nothing new`() async throws {
        let disk = try #require(SmallDisk())
        try await write(files: 0..<3)
        let name = "/a file with a longer name, number 1"
        try await {
            let core = try opened(in: disk.folder)
            try await core.scan()
            let file = try #require(await core.item(at: ItemPath(validating: name)))
            _ = try await core.download(file.id)
            try await core.close()
        }()
        try disk.fill()
        let core = try opened(in: disk.folder)
        #expect(try await core.children(of: .root).count == 3)
        let file = try #require(await core.item(at: ItemPath(validating: name)))
        let copy = try #require(await core.localCopy(of: file.id))
        #expect(try Data(contentsOf: URL(filePath: copy.description)) == Data("x".utf8))
        let error = await #expect(throws: CocoaError.self) { try await core.createFolder("new", in: .root) }
        #expect(error?.code == .fileWriteOutOfSpace)
        try disk.empty()
        _ = try await core.createFolder("new", in: .root)
        #expect(try await provider.attributesOfItem(path: "/new").isDirectory)
        try await core.close()
        let again = try opened(in: disk.folder)
        #expect(again.vault.rebuild == nil)
        #expect(try await again.children(of: .root).count == 4)
        try await again.close()
    }

    @Test func `a copy is there also while nothing can be written`() async throws {
        let server = try Server()
        try await server.write("/file", "text")
        try await server.sync()
        _ = try await server.accept(.download(server.id("/file")))
        try await server.core.settle()
        try await server.core.vault.database.write { writer in
            let failure = "BEGIN SELECT RAISE(ABORT, 'the disk fails'); END"
            try writer.execute("CREATE TRIGGER failing BEFORE UPDATE ON items \(failure)", [])
        }
        #expect(try await server.copied("/file") == "text")
    }

    @Test(.enabled(if: SmallDisk.isExpected, "no right to mount a small file system"))
    func `a vault on a disk that has become read-only is refused with that reason, and opens again later`() async throws
    {
        let disk = try #require(SmallDisk())
        try await write(files: 0..<3)
        try await {
            let core = try opened(in: disk.folder)
            try await core.scan()
            try await core.close()
        }()
        #expect(disk.makeReadOnly())
        let error = #expect(throws: CocoaError.self) { try Vault(of: bookmark, in: disk.folder) }
        #expect(error?.code == .fileWriteVolumeReadOnly)
        #expect(disk.makeWritable())
        let core = try opened(in: disk.folder)
        #expect(core.vault.rebuild == nil)
        #expect(try await core.item(at: "/a file with a longer name, number 2") != nil)
        try await core.close()
    }

    @Test func `damage that is met while looking for changes is an issue, and mended by opening the vault again`()
        async throws
    {
        let scratch = try Scratch()
        try await write(files: 0..<500)
        try await {
            let core = try opened(in: scratch.folder)
            try await core.scan()
            try await core.close()
        }()
        let file = scratch.folder.appending(bookmark.id.uuidString.utf8).appending("database.sqlite")
        let handle = try FileHandle(forUpdating: URL(filePath: file.description))
        let size = try handle.seekToEnd()
        // The first pages, which the tables begin in, stay, so that opening meets no damage.
        try handle.seek(toOffset: 160 << 10)
        try handle.write(contentsOf: Data(repeating: 0xA5, count: Int(size) - 160 << 10))
        try handle.close()

        try await {
            let core = try opened(in: scratch.folder)
            let delegate = RecordingIssueDelegate()
            try await core.setIssueDelegate(delegate)
            let clock = SteppingClock()
            try await write(files: 500..<510)
            let running = Task { await core.run(every: .seconds(60), clock: clock) }
            await delegate.reaches { $0.contains { $0.hasPrefix("raised database-damaged ") } }
            running.cancel()
            await running.value
            try? await core.close()
        }()
        let core = try opened(in: scratch.folder)
        #expect(core.vault.rebuild != nil)
        #expect(try await core.issues().map(\.id.kind) == [.databaseRebuilt])
        try await core.scan()
        #expect(try await core.item(at: "/a file with a longer name, number 509") != nil)
        try await core.resolve(CloudCore.Issue.ID(.databaseRebuilt), with: .acknowledge)
        try await core.close()
    }
}
