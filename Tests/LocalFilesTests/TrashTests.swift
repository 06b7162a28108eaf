import FileProviding
import Foundation
import Glibc
import LocalFiles
import Testing

@Suite struct TrashTests {
    let scratch: Scratch
    var provider: LocalFileProvider { scratch.provider }

    init() throws { scratch = try Scratch() }

    private var trash: String { scratch.folder + "/trash" }

    @Test func anItemGoesAndComesBack() async throws {
        try scratch.makeDirectory("folder/inner")
        try scratch.put("text", at: "folder/inner/a b%.txt")
        let item = try await provider.trash(path: "folder/inner/a b%.txt")
        #expect(item.originalPath == "folder/inner/a b%.txt" && item.size == 4)
        #expect(abs(try #require(item.deletionDate).timeIntervalSinceNow) < 5)
        #expect(!scratch.exists("folder/inner/a b%.txt"))
        let note = try #require(FileManager.default.contents(atPath: trash + "/info/a b%.txt.trashinfo"))
        let lines = String(decoding: note, as: UTF8.self).split(separator: "\n")
        #expect(lines[0] == "[Trash Info]")
        #expect(lines[1].hasPrefix("Path=/") && lines[1].hasSuffix("/root/folder/inner/a%20b%25.txt"))
        #expect(lines[2].wholeMatch(of: /DeletionDate=\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/) != nil)
        #expect(FileManager.default.contents(atPath: trash + "/files/a b%.txt") == Data("text".utf8))

        #expect(try await provider.trashedItems() == [item])
        try await provider.restore(item, to: nil)
        #expect(scratch.text("folder/inner/a b%.txt") == "text")
        #expect(try await provider.trashedItems().isEmpty)
        #expect(try FileManager.default.contentsOfDirectory(atPath: trash + "/info").isEmpty)
    }

    @Test func equalNamesAndOddOnes() async throws {
        for folder in ["a", "b", "c"] {
            try scratch.makeDirectory(folder)
            try scratch.put(folder, at: folder + "/file")
        }
        let odd = ItemPath.root.appending(try ItemName(validating: [0xff, 0x0a, 0x41]))
        try await provider.write(path: odd, from: ByteStream("odd"))
        let long = try ItemPath(validating: String(repeating: "l", count: 255))
        try await provider.write(path: long, from: ByteStream("long"))
        let paths: [ItemPath] = ["a/file", "b/file", "c/file", odd, long]
        for path in paths { _ = try await provider.trash(path: path) }
        let items = try await provider.trashedItems()
        #expect(Set(items.map(\.originalPath)) == Set(paths))
        for item in items { try await provider.restore(item, to: nil) }
        for folder in ["a", "b", "c"] { #expect(scratch.text(folder + "/file") == folder) }
        #expect(try await provider.text(odd) == "odd")
        #expect(try await provider.text(long) == "long")
    }

    @Test func restoringReplacesNothing() async throws {
        try scratch.put("old", at: "file")
        let item = try await provider.trash(path: "file")
        try scratch.put("new", at: "file")
        #expect(await failure { try await provider.restore(item, to: nil) }?.isFileExists == true)
        try await provider.restore(item, to: "elsewhere")
        #expect(scratch.text("file") == "new" && scratch.text("elsewhere") == "old")
        #expect(await failure { try await provider.restore(item, to: "again") }?.isNoSuchFile == true)
    }

    @Test func emptyingLeavesWhatCameFromElsewhere() async throws {
        try scratch.makeDirectory("mine/inner")
        try scratch.makeDirectory("other")
        try scratch.put("", at: "other/file")
        let other = try LocalFileProvider(root: LocalPath(scratch.at("other")), trash: LocalPath(trash))
        let kept = try await provider.trash(path: "mine")
        let removed = try await other.trash(path: "file")
        #expect(try await other.trashedItems() == [removed])
        try await other.emptyTrash(nil)
        #expect(try await provider.trashedItems() == [kept])
        try await provider.emptyTrash(kept)
        #expect(try FileManager.default.contentsOfDirectory(atPath: trash + "/files").isEmpty)
    }

    @Test func anIdentifierReachesOnlyTheTrash() async throws {
        try scratch.put("", at: "file")
        let forged = TrashedItem(id: scratch.at("file"), originalPath: "file")
        #expect(await failure { try await provider.emptyTrash(forged) }?.isNoSuchFile == true)
        #expect(await failure { try await provider.restore(forged, to: "x") }?.isNoSuchFile == true)
        #expect(scratch.exists("file"))
    }

    /// `/dev/shm` is another file system than the one with the home trash.
    @Test func anotherFileSystemHasItsOwnTrash() async throws {
        let far = try Scratch(in: "/dev/shm")
        try #require(far.status("")?.st_dev != scratch.status("")?.st_dev, "needs two file systems")
        try far.put("text", at: "file")
        let provider = try LocalFileProvider(root: LocalPath(far.folder + "/root"), trash: LocalPath(trash))
        let item = try await provider.trash(path: "file")
        #expect(item.id.hasPrefix("/dev/shm/.Trash-\(geteuid())/"))
        #expect(try await provider.trashedItems() == [item])
        try await provider.restore(item, to: nil)
        #expect(far.text("file") == "text")
    }

    @Test func missingAndRoot() async throws {
        #expect(await failure { try await provider.trash(path: "none") }?.isNoSuchFile == true)
        #expect(await failure { try await provider.trash(path: "/") } is CocoaError)
    }
}
