import FileProviding
import Foundation
import MemoryFiles
import Testing

@Suite struct MemoryTreeTests {
    private let store = MemoryStore(clock: { FileTime(nanoseconds: 123_456_789) })
    private var provider: MemoryFileProvider { MemoryFileProvider(store: store, pageSize: 2) }

    @Test func timesComeFromTheClock() async throws {
        let file = try await provider.writeContents(path: "a", contents: Data())
        #expect(file?.modificationTime?.nanoseconds == 123_456_789)
        #expect(file?.creationTime?.nanoseconds == 123_456_789)
    }

    @Test func anItemIsFoundByItsIdentifier() async throws {
        try await provider.write(path: "d/a", from: ByteStream(Data("a".utf8)), options: .init(createsParents: true))
        let id = try #require(try await provider.attributesOfItem(path: "d").fileID)
        let directory = try ItemPath(validating: "id:\(id)")
        #expect(try await provider.attributesOfItem(path: directory).isDirectory)
        #expect(try await provider.contentsOfDirectory(path: directory).map(\.path) == ["d/a"])
        try await provider.moveItem(path: "d", to: "e")
        #expect(try await provider.contentsOfDirectory(path: directory).map(\.path) == ["e/a"])
        try await provider.trashItem(path: "e")
        await #expect(throws: CocoaError.self) { try await provider.attributesOfItem(path: directory) }
    }

    @Test func aListingHasTheNamesOfItsFirstPage() async throws {
        for name in ["a", "b", "c", "d", "e"] { try await provider.createDirectory(path: ItemPath(validating: name)) }
        var pages = provider.listing(path: .root).makeAsyncIterator()
        #expect(try await pages.next()?.map(\.name) == ["a", "b"])
        try await provider.removeItem(path: "d")
        try await provider.createDirectory(path: "f")
        #expect(try await pages.next()?.map(\.name) == ["c"])
        #expect(try await pages.next()?.map(\.name) == ["e"])
        #expect(try await pages.next() == nil)
    }

    @Test func readingGoesOnWithTheFileThatWasOpened() async throws {
        try await provider.writeContents(path: "a", contents: Data("old".utf8))
        let contents = try await provider.read(path: "a")
        try await provider.writeContents(path: "a", contents: Data("new".utf8), overwrite: true)
        #expect(try await contents.collect() == Data("old".utf8))
    }

    @Test func permissionsAreEnforced() async throws {
        try await provider.write(path: "d/a", from: ByteStream(Data("a".utf8)), options: .init(createsParents: true))
        try store.setPermissions(0o000, of: "d/a")
        let unreadable = await #expect(throws: CocoaError.self) { try await provider.contents(path: "d/a") }
        #expect(unreadable?.code == .fileReadNoPermission)
        try store.setPermissions(0o555, of: "d")
        for operation in [
            FileOperationType.create("d/new"), .remove("d/a"), .remove("d"), .move(source: "d/a", destination: "b"),
            .copy(source: "d/a", destination: "d/b"), .link("d/l", target: "a"),
        ] {
            let refused = await #expect(throws: CocoaError.self, "\(operation)") { try await provider.run(operation) }
            #expect(refused?.code == .fileWriteNoPermission)
        }
        #expect(try await provider.contentsOfDirectory(path: "d").map(\.name) == ["a"])
    }

    @Test func replacingALinkLeavesWhatItPointsTo() async throws {
        try await provider.writeContents(path: "a", contents: Data("a".utf8))
        try await provider.create(symbolicLink: "l", withDestinationPath: "a")
        try await provider.writeContents(path: "l", contents: Data("l".utf8), overwrite: true)
        #expect(try await provider.contents(path: "a") == Data("a".utf8))
        #expect(try await provider.attributesOfItem(path: "l").isRegularFile)
    }

    @Test func absoluteLinksBeginAtTheRoot() async throws {
        try await provider.write(path: "d/a", from: ByteStream(Data("a".utf8)), options: .init(createsParents: true))
        try await provider.create(symbolicLink: "l", withDestinationPath: "/d")
        #expect(try await provider.contents(path: "l/a") == Data("a".utf8))
        #expect(try await provider.contentsOfDirectory(path: "l").map(\.path) == ["l/a"])
    }

    @Test func directoryMarksRiseToTheRoot() async throws {
        try await provider.createDirectory(path: "a/b", createsParents: true)
        let before = try await provider.attributesOfItem(path: .root).etag
        try await provider.writeContents(path: "a/b/c", contents: Data())
        #expect(try await provider.attributesOfItem(path: .root).etag != before)
        let beside = try await provider.attributesOfItem(path: "a/b").etag
        try await provider.createDirectory(path: "beside")
        #expect(try await provider.attributesOfItem(path: "a/b").etag == beside)
    }
}
