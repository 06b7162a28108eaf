import FileProviding
import Foundation
import Testing

@testable import CloudCore

@Suite struct ItemStorageTests {
    private let scratch: Scratch
    private let database: Database

    init() throws {
        scratch = try Scratch()
        database = try Database(file: scratch.file("database.sqlite"))
    }

    @Test func `everything a server says of an item is kept`() async throws {
        var version = ServerVersion.file(1 << 40, etag: "W/\"é\"", fileID: "00042oc")
        version.modificationTime = FileTime(nanoseconds: 1_700_000_000_123_456_789)
        version.creationTime = FileTime(nanoseconds: -5)
        version.contentType = "image/jpeg"
        version.owner = "ana"
        version.isReadOnly = true
        version.isHidden = true
        version.imageSize = PixelSize(width: 4000, height: 3000)
        let expected = version
        let id = try await database.write { try $0.insert("a.jpg", in: .root, expected, isOnServer: true) }
        let item = try #require(try await database.read { try $0.item(id) })
        #expect(item.version == expected)
        #expect(item.path == "/a.jpg")
        #expect(item.cloudStatus == .cloudOnly)
    }

    @Test(
        "names are kept byte by byte and never mixed up",
        arguments: [
            [UInt8]("100%".utf8), Array("a_b".utf8), Array("a\\b".utf8), Array("e\u{301}".utf8), Array("é".utf8),
            [0xFF], [0xFE], Array("\u{FFFD}".utf8), Array("a'\"\n".utf8), Array(" ".utf8),
        ])
    func names(bytes: [UInt8]) async throws {
        let name = try ItemName(validating: bytes)
        let siblings =
            try [
                "100", "100x", "aXb", "ab", "a/b".replacing("/", with: ""), "é", "e\u{301}", "\u{FFFD}", "%", "_", "\\",
            ].map { try ItemName(validating: $0) } + [ItemName(validating: [0xFF]), ItemName(validating: [0xFE])]
        try await database.write { writer in
            for sibling in siblings where sibling != name {
                try writer.insert(sibling, in: .root, .file(), isOnServer: true)
            }
        }
        #expect(try await database.read { try $0.item(named: name, in: .root) } == nil)
        let id = try await database.write { try $0.insert(name, in: .root, .file(), isOnServer: true) }
        let found = try await database.read { try $0.item(named: name, in: .root) }
        #expect(found?.localID == id)
        #expect(found?.itemName == name)
    }

    @Test func `a moved directory changes its own row only, and every path below it`() async throws {
        let (folder, other, leaf) = try await database.write { writer in
            let folder = try writer.insert("a", in: .root, .directory(), isOnServer: true)
            let inner = try writer.insert("b", in: folder, .directory(), isOnServer: true)
            let leaf = try writer.insert("c.txt", in: inner, .file(), isOnServer: true)
            return (folder, try writer.insert("other", in: .root, .directory(), isOnServer: true), leaf)
        }
        let before = try await database.read { try $0.anchor() }
        try await database.write { try $0.move(folder, to: "renamed", in: other) }
        let changed = try await database.read { try $0.items(since: before) }
        #expect(changed?.map(\.localID) == [folder])
        #expect(try await database.read { try $0.item(leaf)?.path } == "/other/renamed/b/c.txt")
        #expect(try await database.read { try $0.item(at: "/other/renamed/b/c.txt")?.localID } == leaf)
    }

    @Test func `removing leaves tombstones of everything below`() async throws {
        let ids = try await database.write { writer in
            let folder = try writer.insert("a", in: .root, .directory(), isOnServer: true)
            let inner = try writer.insert("b", in: folder, .directory(), isOnServer: true)
            return [folder, inner, try writer.insert("c", in: inner, .file(), isOnServer: true)]
        }
        let before = try await database.read { try $0.anchor() }
        #expect(try await database.write { try $0.remove(ids[0]) }.sorted() == ids)
        let changed = try #require(try await database.read { try $0.items(since: before) })
        #expect(changed.map(\.localID) == ids)
        #expect(changed.allSatisfy { $0.isRemoved })
        #expect(try await database.read { try $0.item(at: "/a") } == nil)
        let next = try await database.write { try $0.insert("a", in: .root, .directory(), isOnServer: true) }
        #expect(!ids.contains(next))
    }

    @Test func `the anchor rises with each transaction that changes items, and with no other`() async throws {
        let raised = Locked<[SyncAnchor]>([])
        _ = database.onChange { anchor in raised.withLock { $0.append(anchor) } }
        let start = try await database.read { try $0.anchor() }
        try await database.write { _ in }
        #expect(try await database.read { try $0.anchor() } == start)
        try await database.write { writer in
            for name: ItemName in ["a", "b", "c"] { try writer.insert(name, in: .root, .file(), isOnServer: true) }
        }
        await #expect(throws: CancellationError.self) {
            try await database.write { writer in
                try writer.insert("d", in: .root, .file(), isOnServer: true)
                throw CancellationError()
            }
        }
        let end = try await database.read { try $0.anchor() }
        #expect(end.count == start.count + 1)
        #expect(raised.withLock { $0 } == [end])
        #expect(try await database.read { try $0.items(since: start) }?.count == 3)
    }

    @Test func `an anchor from before forgotten tombstones, of another vault or of the future means starting over`()
        async throws
    {
        let time = Locked(FileTime(seconds: 1000))
        let database = try Database(file: scratch.file("other.sqlite"), clock: { time.withLock { $0 } })
        let start = try await database.read { try $0.anchor() }
        let id = try await database.write { try $0.insert("a", in: .root, .file(), isOnServer: true) }
        let middle = try await database.read { try $0.anchor() }
        try await database.write { _ = try $0.remove(id) }
        let end = try await database.read { try $0.anchor() }
        try await database.write { try $0.forgetTombstones(before: FileTime(seconds: 1000)) }
        #expect(try await database.read { try $0.items(since: start) } != nil)
        try await database.write { try $0.forgetTombstones(before: FileTime(seconds: 1001)) }
        #expect(try await database.read { try $0.items(since: start) } == nil)
        #expect(try await database.read { try $0.items(since: middle) } == nil)
        #expect(try await database.read { try $0.items(since: end) } == [])
        #expect(try await database.read { try $0.items(since: .beginning) }?.map(\.localID) == [.root])
        #expect(try await self.database.read { try $0.items(since: end) } == nil)
        let future = SyncAnchor(generation: end.generation, count: end.count + 1)
        #expect(try await database.read { try $0.items(since: future) } == nil)
    }

    @Test func `a server's newer version is kept beside unsent changes, and dropped when it is none`() async throws {
        let id = try await database.write { writer in
            let id = try writer.insert("a", in: .root, .file(10, etag: "\"1\""), isOnServer: true)
            try writer.setCopy(
                of: id, LocalCopy(of: "a"), version: FileVersion(etag: ETag(rawValue: "\"1\""), size: 10))
            return id
        }
        #expect(try await item(id).cloudStatus == .localCopy)
        try await database.write {
            try $0.setModified(id, LocalCopy(of: "a"), size: 11, modificationTime: FileTime(seconds: 9))
        }
        #expect(try await item(id).cloudStatus == .locallyModified)
        try await database.write { try $0.update($0.reader.item(id)!, to: .file(99, etag: "\"2\"")) }
        #expect(try await item(id).size == 11)
        #expect(try await item(id).newerVersion?.size == 99)
        try await database.write { try $0.update($0.reader.item(id)!, to: .file(10, etag: "\"1\"")) }
        #expect(try await item(id).newerVersion == nil)
        #expect(try await item(id).size == 11)
    }

    @Test func `a full disk is an error that says so, loses nothing, and passes`() async throws {
        let kept = try await database.write { try $0.insert("kept", in: .root, .file(), isOnServer: true) }
        try await database.write { try $0.database.execute(sql: "PRAGMA max_page_count = 1") }
        let error = await #expect(throws: CocoaError.self) {
            try await database.write { writer in
                for number in 0..<5_000 {
                    try writer.insert(ItemName(validating: "file \(number)"), in: .root, .file(), isOnServer: true)
                }
            }
        }
        #expect(error?.code == .fileWriteOutOfSpace)
        #expect(error?.userInfo[NSFilePathErrorKey] as? String == scratch.file("database.sqlite").description)
        #expect(try await database.read { try $0.items(since: .beginning) }?.map(\.localID) == [.root, kept])
        try await database.write { try $0.database.execute(sql: "PRAGMA max_page_count = 1000000") }
        try await database.write { _ = try $0.insert("next", in: .root, .file(), isOnServer: true) }
    }

    @Test func `tombstones below a forgotten one go with it, whatever the clock said`() async throws {
        let time = Locked(FileTime(seconds: 2_000))
        let database = try Database(file: scratch.file("jumping.sqlite"), clock: { time.withLock { $0 } })
        let (folder, file) = try await database.write { writer in
            let folder = try writer.insert("a", in: .root, .directory(), isOnServer: true)
            return (folder, try writer.insert("b", in: folder, .file(), isOnServer: true))
        }
        try await database.write { _ = try $0.remove(file) }
        time.withLock { $0 = FileTime(seconds: 1_000) }
        try await database.write { _ = try $0.remove(folder) }
        let between = try await database.read { try $0.anchor() }
        try await database.write { try $0.forgetTombstones(before: FileTime(seconds: 1_500)) }
        #expect(try await database.read { try $0.items(since: .beginning) }?.map(\.localID) == [.root])
        #expect(try await database.read { try $0.items(since: between) } == [])
    }

    private func item(_ id: LocalID) async throws -> Item {
        try #require(try await database.read { try $0.item(id) })
    }
}
