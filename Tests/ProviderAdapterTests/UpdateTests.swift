import CloudCore
import FileProviders
import Foundation
import Testing

/// Attributes that are changed through a vault.
@Suite struct UpdateTests {
    private static let able = SyncSubject.running.filter { [.memory, .local, .sshd].contains($0) }
    /// Those that take times at least.
    private static let dated = able + SyncSubject.running.filter { $0 == .ownCloud }
    private static let unable = SyncSubject.running.filter { [.apache, .sabre].contains($0) }
    private static let time = FileTime(seconds: 1_500_000_000, nanoseconds: 0)
    private static let later = FileTime(seconds: 1_600_000_000, nanoseconds: 0)

    @Test(arguments: able)
    func `what is changed offline shows at once, is sent once, and survives what the server says meanwhile`(
        subject: SyncSubject
    ) async throws {
        try await subject.withFolder { provider in
            let trial = try SyncTrial(provider)
            try await trial.write("/file", "text")
            try await provider.createDirectory(path: "/folder")
            try await trial.sync()
            let file = try await trial.id("/file")
            _ = try await trial.core.submit(.download(file))
            try await trial.core.settle()
            trial.connection.fail(with: URLError(.cannotConnectToHost))
            let first = try await trial.core.submit(
                .update(file, ItemAttributes(modificationTime: Self.later, permissions: 0o640)))
            let second = try await trial.core.submit(.update(file, ItemAttributes(modificationTime: Self.time)))
            #expect(second.id == first.id)
            _ = try await trial.core.submit(.update(trial.id("/folder"), ItemAttributes(permissions: 0o700)))
            #expect(try await trial.core.item(file)?.modificationTime == Self.time)
            try await trial.core.settle()
            trial.connection.fail(with: nil)
            // What a listing tells of the file is from before the command.
            try await trial.core.deepCheck()
            #expect(try await trial.core.item(file)?.modificationTime == Self.time)
            #expect(try await trial.core.syncRecords().count == 2)
            try await trial.expectConverged()
            let there = try await provider.attributesOfItem(path: "/file")
            #expect(there.modificationTime == Self.time && there.permissions == 0o640)
            #expect(try await provider.attributesOfItem(path: "/folder").permissions == 0o700)
            let item = try #require(try await trial.core.item(file))
            #expect(item.modificationTime == Self.time && item.cloudStatus == .localCopy)
            // The copy is still one of the present version: it is not fetched again.
            let pending = try await trial.core.submit(.download(file))
            #expect(pending.progress.isFinished)
            #expect(try await trial.core.syncRecords().isEmpty)
        }
    }

    @Test(arguments: dated)
    func `an edit and new attributes both arrive, in either order`(subject: SyncSubject) async throws {
        try await subject.withFolder { provider in
            let trial = try SyncTrial(provider)
            for name in ["/a", "/b"] as [ItemPath] { try await trial.write(name, "old") }
            try await trial.sync()
            let (a, b) = (try await trial.id("/a"), try await trial.id("/b"))
            let time = ItemAttributes(modificationTime: Self.time)
            try await trial.edit("/a", "new contents")
            _ = try await trial.core.submit(.update(a, time))
            _ = try await trial.core.submit(.update(b, time))
            try await trial.edit("/b", "new contents")
            try await trial.put("made here", at: "/c")
            _ = try await trial.core.submit(.update(trial.id("/c"), time))
            try await trial.expectConverged()
            for path in ["/a", "/b"] as [ItemPath] { #expect(try await trial.text(path) == "new contents") }
            for path in ["/a", "/c"] as [ItemPath] {
                #expect(try await provider.attributesOfItem(path: path).modificationTime == Self.time)
            }
        }
    }

    @Test(arguments: dated)
    func `attributes do not go to contents that somebody else has written meanwhile`(subject: SyncSubject) async throws
    {
        try await subject.withFolder { provider in
            let trial = try SyncTrial(provider)
            try await trial.write("/file", "old")
            try await trial.sync()
            let file = try await trial.id("/file")
            let pending = try await trial.core.submit(.update(file, ItemAttributes(modificationTime: Self.time)))
            try await trial.write("/file", "theirs, longer")
            await #expect { _ = try await pending.item } throws: {
                $0.isItemChanged || $0 is CocoaError || $0 is POSIXError
            }
            try await trial.expectConverged()
            #expect(try await provider.attributesOfItem(path: "/file").modificationTime != Self.time)
            #expect(try await trial.core.item(at: "/file")?.modificationTime != Self.time)
        }
    }

    @Test(arguments: dated)
    func `an edit behind attributes that are called off is no conflict`(subject: SyncSubject) async throws {
        try await subject.withFolder { provider in
            let trial = try SyncTrial(provider)
            try await trial.write("/file", "old")
            try await trial.sync()
            let update = try await trial.core.submit(
                .update(trial.id("/file"), ItemAttributes(modificationTime: Self.time)))
            try await trial.edit("/file", "new contents")
            try await trial.core.cancel(update.id)
            try await trial.expectConverged()
            #expect(try await trial.text("/file") == "new contents")
        }
    }

    @Test(arguments: able)
    func `permissions behind contents that are sent first are for those`(subject: SyncSubject) async throws {
        try await subject.withFolder { provider in
            let trial = try SyncTrial(provider)
            try await trial.write("/edited", "old")
            try await trial.sync()
            trial.connection.fail(with: URLError(.cannotConnectToHost))
            try await trial.put("new", at: "/new")
            try await trial.edit("/edited", "edited")
            for attributes in [
                ItemAttributes(permissions: 0o640), ItemAttributes(modificationTime: Self.time, permissions: 0o600),
            ] {
                trial.connection.fail(with: URLError(.cannotConnectToHost))
                for path in ["/new", "/edited"] as [ItemPath] {
                    _ = try await trial.core.submit(.update(trial.id(path), attributes))
                }
                trial.connection.fail(with: nil)
                await trial.core.reconnect()
                try await trial.expectConverged()
                for path in ["/new", "/edited"] as [ItemPath] {
                    #expect(try await provider.attributesOfItem(path: path).permissions == attributes.permissions)
                    try await trial.edit(path, "edited again, for \(attributes.permissions ?? 0)")
                }
            }
        }
    }

    @Test(arguments: dated)
    func `a lost reply is a success`(subject: SyncSubject) async throws {
        try await subject.withFolder { provider in
            let trial = try SyncTrial(provider)
            try await trial.write("/file", "text")
            try await trial.sync()
            let pending = try await trial.core.submit(
                .update(trial.id("/file"), ItemAttributes(modificationTime: Self.time)))
            trial.connection.meet(.unanswered(URLError(.networkConnectionLost)))
            try await trial.core.settle()
            try await trial.expectConverged()
            #expect(try await pending.item.modificationTime == Self.time)
        }
    }

    @Test(arguments: unable)
    func `a storage that cannot refuses, and the item shows what it was`(subject: SyncSubject) async throws {
        try await subject.withFolder { provider in
            let trial = try SyncTrial(provider)
            try await trial.write("/file", "text")
            try await trial.sync()
            let before = try #require(try await trial.core.item(at: "/file"))
            await #expect {
                try await trial.core.update(before.localID, ItemAttributes(modificationTime: Self.time))
            } throws: { ($0 as? CocoaError)?.code == .featureUnsupported }
            #expect(try await trial.core.item(at: "/file")?.modificationTime == before.modificationTime)
            try await trial.expectConverged()
        }
    }
}
