import FileProviding
import Foundation
import Testing

@testable import CloudCore

/// A claimed copy stays at its path, whatever happens to the item.
@Suite struct HeldCopyTests {
    private let time = Locked(FileTime(Date()))
    private let server: Server

    init() throws { server = try Server(clock: { [time] in time.withLock { $0 } }) }

    /// Downloads a file; returns its identifier and the path of its copy.
    private func fetched(_ path: ItemPath, _ text: String) async throws -> (id: LocalID, copy: LocalPath) {
        try await server.write(path, text)
        try await server.sync()
        let id = try await server.id(path)
        try await server.core.download(id)
        return (id, try #require(try await server.core.localCopy(of: id)))
    }

    private func copies() throws -> Int {
        try server.core.vault.folder.appending("copies").entryNames().count
    }

    @Test func `a frozen copy outlives edits, their sending and vacuuming, until the claim is given up`() async throws {
        let (id, copy) = try await fetched("/file", "frozen")
        let claim = try await server.core.claim(id, .explicit, lock: .write)
        for text in ["first", "second"] {
            try await server.edit("/file", text)
            try await server.core.vacuum()
            #expect(try server.scratch.read(copy) == "frozen")
        }
        try await server.sync()
        try await server.core.vacuum()
        #expect(try server.scratch.read(copy) == "frozen")
        #expect(try await server.copied("/file") == "second")
        try await server.core.giveUp(claim)
        try await server.core.vacuum()
        #expect(!server.scratch.exists(copy))
        #expect(try await server.copied("/file") == "second")
        #expect(try copies() == 1)
    }

    @Test func `a copy that was frozen while it was sent stays when it has arrived`() async throws {
        try await server.write("/file", "old")
        try await server.sync()
        let (id, server) = (try await server.id("/file"), server)
        let (frozen, claim) = (Locked<LocalPath?>(nil), Locked<ItemClaim?>(nil))
        defer { server.connection.watch { _, _ in } }
        server.connection.watch { _, _ in
            guard frozen.withLock({ $0 }) == nil, let copy = try? await server.core.localCopy(of: id) else { return }
            frozen.withLock { $0 = copy }
            let made = try? await server.core.claim(id, .explicit, lock: .write)
            claim.withLock { $0 = made }
            try? await server.edit("/file", "second")
        }
        try await server.edit("/file", "first")
        try await server.sync()
        #expect(try await server.text("/file") == "second")
        #expect(try server.scratch.read(#require(frozen.withLock { $0 })) == "first")
        try await server.core.giveUp(#require(claim.withLock { $0 }))
        try await server.core.vacuum()
        #expect(try copies() == 1)
    }

    @Test func `an edit that is called off or removed stays while it is claimed`() async throws {
        for removes in [false, true] {
            let (id, _) = try await fetched("/file", "old")
            let edit = try await server.accept(.modify(id, ByteStream(Data("mine".utf8))))
            let copy = try #require(try await server.core.localCopy(of: id))
            let claim = try await server.core.claim(id, .explicit, lock: .delete)
            if removes { try await server.delete("/file") } else { try await server.core.cancel(edit.id) }
            try await server.sync()
            try await server.core.vacuum()
            #expect(try server.scratch.read(copy) == "mine")
            try await server.core.giveUp(claim)
            try await server.core.vacuum()
            #expect(!server.scratch.exists(copy))
        }
    }

    @Test func `the copy of an edit that was kept as another item stays while the first one is claimed`() async throws {
        for isRemoved in [false, true] {
            let (id, _) = try await fetched("/file", "old")
            try await server.edit("/file", "mine")
            let copy = try #require(try await server.core.localCopy(of: id))
            let claim = try await server.core.claim(id, .explicit, lock: .delete)
            try await server.write("/file", "theirs, which is longer")
            try await server.sync()
            let issue = try #require(try await server.core.issues().first)
            try await server.core.resolve(issue.id, with: .keepBoth)
            try await server.sync()
            let name = try #require(try await server.known().first { $0 != "/file" })
            let other = try await server.id(ItemPath(validating: name))
            #expect(try await server.core.localCopy(of: other) == copy)
            if isRemoved {
                _ = try await server.core.submit(.delete(other))
                try await server.sync()
            } else {
                try await server.core.removeCopy(of: other)
            }
            try await server.core.vacuum()
            #expect(try server.scratch.read(copy) == "mine")
            try await server.core.giveUp(claim)
            try await server.core.vacuum()
            #expect(!server.scratch.exists(copy))
            if !isRemoved { _ = try await server.core.submit(.delete(other)) }
            try await server.sync()
        }
    }

    @Test func `what the server has lost stays here while it is claimed, although everything is to be as there`()
        async throws
    {
        for number in 0..<12 { try await server.write(ItemPath(validating: "/\(number)")) }
        let (id, claimed) = try await fetched("/claimed", "claimed")
        let (_, other) = try await fetched("/other", "other")
        let claim = try await server.core.claim(id, .explicit, lock: .delete)
        for file in try await server.provider.contentsOfDirectory(path: .root) {
            try await server.provider.removeItem(path: file.path)
        }
        try await server.scanned()
        try await server.answer(.itemsVanished, .takeServer)
        try await server.core.vacuum()
        #expect(try server.scratch.read(claimed) == "claimed")
        #expect(!server.scratch.exists(other))
        #expect(try server.recovered() == ["claimed", "other"])
        try await server.core.giveUp(claim)
        try await server.core.vacuum()
        #expect(!server.scratch.exists(claimed))
        #expect(try server.recovered() == ["claimed", "other"])
    }

    @Test func `a claim that is over keeps no download from taking effect`() async throws {
        let (id, copy) = try await fetched("/file", "old")
        _ = try await server.core.claim(id, .expiring(time.withLock { $0.later(bySeconds: 10) }), lock: .write)
        #expect(try await server.core.claims(on: id).count == 1)
        time.withLock { $0 = $0.later(bySeconds: 20) }
        #expect(try await server.core.claims(on: id).isEmpty)
        try await server.write("/file", "newer")
        try await server.scanned()
        try await server.core.download(id)
        #expect(try await server.copied("/file") == "newer")
        #expect(!server.scratch.exists(copy))
    }

    @Test func `an item tells who claims it and what is to be done about it, and nothing of others`() async throws {
        let (id, _) = try await fetched("/file", "old")
        let (other, _) = try await fetched("/other", "old")
        let claim = try await server.core.claim(id, server.core.coreLifetime, lock: .read)
        _ = try await server.core.claim(other, .explicit, lock: .write)
        #expect(try await server.core.claims(on: id) == [claim])
        try await server.move("/file", to: "/moved")
        try await server.edit("/other", "mine")
        try await server.copy("/moved", to: "/copy")
        #expect(try await server.core.syncRecords(of: id).map(\.kind) == [.move])
        #expect(try await server.core.syncRecords(of: other).map(\.kind) == [.upload])
        #expect(try await server.core.syncRecords(of: server.id("/copy")).map(\.kind) == [.copy])
    }
}
