import FileProviding
import Foundation
import Glibc
import LocalFiles
import Testing

@Suite struct ListingTests {
    let scratch: Scratch
    var provider: LocalFileProvider { scratch.provider }

    init() throws { scratch = try Scratch() }

    @Test func pagesOfALargeDirectory() async throws {
        try scratch.makeDirectory("many")
        for number in 0..<2500 { close(creat(scratch.at("many/\(number)"), 0o600)) }
        var sizes: [Int] = []
        var names: Set<String> = []
        for try await page in provider.listing(path: "many") {
            sizes.append(page.count)
            names.formUnion(page.map(\.name))
        }
        #expect(sizes == [1000, 1000, 500])
        #expect(names.count == 2500)
    }

    @Test func anEntryEqualsTheItem() async throws {
        try scratch.put("hello", at: "file")
        try scratch.makeDirectory("folder")
        try scratch.makeLink("link", to: "file")
        mkfifo(scratch.at("pipe"), 0o600)
        for entry in try await provider.contentsOfDirectory(path: "/") {
            let item = try await provider.attributesOfItem(path: entry.path)
            #expect(item == entry)
            #expect(item.linkTarget == entry.linkTarget && item.permissions == entry.permissions)
        }
    }

    @Test func fileAndMissing() async throws {
        try scratch.put("", at: "file")
        #expect(await failure { try await provider.listing(path: "file").collect() }?.isNotADirectory == true)
        #expect(await failure { try await provider.listing(path: "none").collect() }?.isNoSuchFile == true)
        #expect(await failure { try await provider.listing(path: "file/x").collect() }?.isNoSuchFile == true)
    }

    @Test func recursionHasParentsFirstAndFollowsNoLink() async throws {
        try scratch.makeDirectory("a/b/c")
        try scratch.put("1", at: "a/b/c/file")
        try scratch.put("2", at: "a/file")
        try scratch.makeLink("a/loop", to: "..")
        let paths = try await provider.recursiveListing(path: "/").collect().map(\.path)
        #expect(Set(paths) == ["a", "a/b", "a/b/c", "a/b/c/file", "a/file", "a/loop"])
        #expect(paths.count == 6)
        for path in paths {
            let parent = try #require(path.parent)
            #expect(parent.isRoot || paths.firstIndex(of: parent)! < paths.firstIndex(of: path)!)
        }
    }

    @Test func aTreeOfManySmallDirectoriesFitsIntoOnePage() async throws {
        for number in 0..<50 { try scratch.makeDirectory("d\(number)/inner") }
        var pages = 0
        for try await page in provider.recursiveListing(path: "/") {
            pages += 1
            #expect(page.count == 100)
        }
        #expect(pages == 1)
    }

    @Test func aLinkToADirectoryIsListedThrough() async throws {
        try scratch.makeDirectory("folder")
        try scratch.put("", at: "folder/file")
        try scratch.makeLink("link", to: "folder")
        let names = try await provider.contentsOfDirectory(path: "link").map(\.path)
        #expect(names == ["link/file"])
    }

    @Test(.enabled(if: !isSuperuser, "the superuser may read everything"))
    func anUnreadableDirectoryEndsTheRecursionAfterWhatCameBefore() async throws {
        try scratch.makeDirectory("a/secret")
        chmod(scratch.at("a/secret"), 0)
        defer { chmod(scratch.at("a/secret"), 0o700) }
        var seen: [ItemPath] = []
        let error = await failure {
            for try await page in provider.recursiveListing(path: "/") { seen += page.map(\.path) }
        }
        #expect(seen == ["a", "a/secret"])
        #expect((error as? CocoaError)?.code == .fileReadNoPermission)
        #expect((error as? CocoaError)?.filePath == "/a/secret")
    }
}
