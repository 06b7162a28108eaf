import FileProviderTesting
import FileProviding
import Foundation
import MemoryFiles
import ShelfProvider
import ShelfServer
import Testing

/// Page by page, with a server whose pages hold five items.
@Suite struct ShelfPagingTests {
    @Test func pagesAreAskedForOneByOne() async throws {
        let files = MemoryFileProvider()
        let names = (0..<12).map { "file \($0)" }.sorted()
        for name in names { try await files.writeContents(path: ItemPath(validating: name), contents: Data(name.utf8)) }
        let server = try await ShelfServer(serving: files, pageSize: 5)
        let provider = ShelfProvider(configuration: server.url, credential: nil)

        var pages: [[String]] = []
        for try await page in provider.listing(path: .root) {
            pages.append(page.map(\.name))
            #expect(provider.session.requestCount == pages.count)
        }
        #expect(pages == [Array(names[0..<5]), Array(names[5..<10]), Array(names[10...])])
        await server.stop()
    }

    @Test func aFullLastPageHasNoSuccessor() async throws {
        let files = MemoryFileProvider()
        for index in 0..<5 { try await files.writeContents(path: ItemPath(validating: "\(index)"), contents: Data()) }
        let server = try await ShelfServer(serving: files, pageSize: 5)
        let provider = ShelfProvider(configuration: server.url, credential: nil)
        #expect(try await provider.contentsOfDirectory(path: .root).count == 5)
        #expect(provider.session.requestCount == 1)
        await server.stop()
    }

    @Test func pagesGoOnBehindTheLastNameWhateverChanged() async throws {
        let files = MemoryFileProvider()
        for index in 10..<20 { try await files.writeContents(path: ItemPath(validating: "\(index)"), contents: Data()) }
        let server = try await ShelfServer(serving: files, pageSize: 5)
        var pages = ShelfProvider(configuration: server.url, credential: nil).listing(path: .root).makeAsyncIterator()
        let first = try await pages.next()?.map(\.name)
        try await files.removeItem(path: "14")
        try await files.writeContents(path: "00", contents: Data())
        let second = try await pages.next()?.map(\.name)
        #expect(first == ["10", "11", "12", "13", "14"])
        #expect(second == ["15", "16", "17", "18", "19"])
        await server.stop()
    }

    @Test func aTokenThatComesAgainEndsTheListingBehindItsPage() async throws {
        let server = try ScriptedResponder { _ in
            .reply(
                200,
                body: #"{"items": [{"name": "a", "type": "regular", "size": 1, "etag": "\"1\""}], "next": "again"}"#)
        }
        var pages = ShelfProvider(configuration: server.url, credential: nil).listing(path: .root).makeAsyncIterator()
        for _ in 1...2 { #expect(try await pages.next()?.map(\.name) == ["a"]) }
        let error = await #expect(throws: CocoaError.self) { try await pages.next() }
        #expect(error?.code == .fileReadCorruptFile)
        #expect(server.requests.count == 2)
    }
}
