import FileProviding
import Foundation
import Testing

@testable import CloudCore

/// Commands that are awaited while nobody lets the core run.
@Suite struct AwaitedCommandTests {
    private let server: Server
    private let away = URLError(.cannotConnectToHost)

    init() throws { server = try Server() }

    @Test func `awaiting a command does it, without anything else`() async throws {
        let core = server.core
        let folder = try await core.createFolder("a", in: .root)
        let file = try await core.upload(ByteStream(Data("one".utf8)), as: "file", in: folder.localID)
        #expect(file.cloudStatus == .localCopy)
        try await core.modify(file.localID, contents: ByteStream(Data("two".utf8)))
        try await core.rename(file.localID, to: "renamed")
        try await core.copy(file.localID, to: .root, as: "copy")
        try await core.move(folder.localID, to: .root, as: "b")
        #expect(try await server.walked() == ["/b", "/b/renamed", "/copy"])
        #expect(try await server.text("/b/renamed") == "two")
        try await core.delete(folder.localID)
        #expect(try await server.walked() == ["/copy"])
        #expect(try await core.syncRecords().isEmpty)
        try await server.expectConverged()
    }

    @Test func `a refusal is thrown, and what was done before counts`() async throws {
        try await server.write("/taken", "theirs")
        await #expect(throws: CocoaError.self) {
            try await server.core.upload(ByteStream(Data("x".utf8)), as: "x", in: LocalID(rawValue: 99))
        }
        server.connection.meet(.lost(CocoaError(.fileWriteNoPermission)))
        await #expect { try await server.core.createFolder("refused", in: .root) } throws: {
            ($0 as? CocoaError)?.code == .fileWriteNoPermission
        }
        #expect(try await server.known().isEmpty)
    }

    @Test func `a command that ends does not cut off another one that is awaited`() async throws {
        server.connection.meet(.held)
        let slow = Task { try await server.core.upload(ByteStream(Data("slow".utf8)), as: "slow", in: .root) }
        while try await server.core.syncRecords().first?.phase != .running { await Task.yield() }
        _ = server.connection.requests()
        try await server.core.createFolder("quick", in: .root)
        let record = try #require(try await server.core.syncRecords().first)
        #expect(record.phase == .running && record.attempts == 1)
        slow.cancel()
        await #expect(throws: CancellationError.self) { try await slow.value }
        // Waiting has ended, the command has not.
        #expect(try await server.core.syncRecords().map(\.id) == [record.id])
        try await server.expectConverged()
        #expect(try await server.text("/slow") == "slow")
    }

    @Test func `while the server is away the command waits, and is done when it is back`() async throws {
        server.connection.fail(with: away)
        let waiting = Task { try await server.core.createFolder("later", in: .root) }
        for await status in server.core.connectionStatuses where status == .offline { break }
        server.connection.fail(with: nil)
        await server.core.reconnect()
        #expect(try await waiting.value.cloudStatus == .cloudOnly)
        #expect(try await server.walked() == ["/later"])
    }

    @Test func `many who wait side by side share the work`() async throws {
        let core = server.core
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<40 {
                group.addTask {
                    let name = try ItemName(validating: "file \(number)")
                    try await core.upload(ByteStream(Data("\(number)".utf8)), as: name, in: .root)
                }
                if number % 10 == 0 { group.addTask { try await core.settle() } }
            }
            try await group.waitForAll()
        }
        #expect(try await server.walked().count == 40)
        #expect(server.connection.requests().filter { $0.hasPrefix("upload") }.count == 40)
    }

    @Test func `the callback form needs nobody else either`() async throws {
        let core = server.core
        let item: Item? = await withCheckedContinuation { continuation in
            core.perform(.createFolder("a", in: .root)) { item, _ in continuation.resume(returning: item) }
        }
        #expect(item?.cloudStatus == .cloudOnly)
        #expect(try await server.walked() == ["/a"])
    }

    @Test func `the progress of an edit that becomes one with an earlier one ends with both`() async throws {
        let core = server.core
        try await server.write("/file", "old")
        try await server.sync()
        try await server.edit("/file", "first")
        let (id, progress) = (try await server.id("/file"), Locked<Progress?>(nil))
        let item: Item? = await withCheckedContinuation { continuation in
            let edit = core.perform(.modify(id, ByteStream(Data("second".utf8)))) { item, _ in
                continuation.resume(returning: item)
            }
            progress.withLock { $0 = edit }
        }
        #expect(item?.cloudStatus == .localCopy)
        #expect(progress.withLock { $0?.isFinished } == true)
        #expect(try await server.text("/file") == "second")
    }
}
