import FileProviderTesting
import FileProviding
import Foundation
import HTTPFiles
import Testing

@testable import GalleryFiles

/// Lists in pages, where a server links to the next one (RFC 8288).
@Suite struct PagingTests {
    @Test func pagesAreAskedForInTurnAndCategoriesComeOnce() async throws {
        let images = (0..<23).map { "c\($0 % 2)/\(100 + $0).png" } + ["last.png"]
        let gallery = try TestGallery(images) { $0.pageSize = 5 }
        let requests = try await gallery.requests {
            let paths = try await gallery.provider.paths("")
            #expect(paths == ["c0/", "c1/", "last.png"])
        }
        #expect(requests == ["GET /api/image/"] + (1...4).map { "GET /api/image/?page=\($0)" })
        #expect(try await gallery.provider.paths("", isRecursive: true).count == 26)
    }

    @Test func noPageIsAskedForBeforeItsTurn() async throws {
        let gallery = try TestGallery((0..<12).map { "\($0).png" }) { $0.pageSize = 5 }
        var pages = gallery.provider.listing(path: .root).makeAsyncIterator()
        #expect(try await pages.next()?.isEmpty == false)
        #expect(gallery.server.requests.count == 1)
    }

    @Test func aPageOnAnotherServerIsNotAskedFor() async throws {
        let server = try ScriptedResponder { _ in
            .reply(200, headers: [("Link", "<http://elsewhere.invalid/x>; rel=next")], body: #"[{"path":"a.png"}]"#)
        }
        let provider = try GalleryFileProvider(server.url)
        let error = await #expect(throws: URLError.self) { try await provider.paths("") }
        #expect(error?.code == .badServerResponse)
        #expect(server.requests.count == 1)
    }

    @Test func aPageThatLeadsToItselfEndsTheListing() async throws {
        let server = try ScriptedResponder { _ in
            .reply(200, headers: [("Link", "</api/image/?page=2>; rel=\"next\"")], body: #"[{"path":"a.png"}]"#)
        }
        let provider = try GalleryFileProvider(server.url)
        let error = await #expect(throws: CocoaError.self) { try await provider.paths("") }
        #expect(error?.code == .fileReadCorruptFile)
        #expect(server.requests.count == 2)
    }

    @Test(arguments: [
        ("<p2>; rel=\"next\"", "http://h/api/image/p2"), ("</x?y=<1>; rel=prev, </z>; rel=next", "http://h/z"),
        ("<a>; rel=\"first\", <b>; title=\"x\"; rel=\"up next\"", "http://h/api/image/b"), ("<a>; rel=prev", nil),
        ("nonsense", nil),
    ])
    func theNextLinkIsFoundAmongOthers(_ field: String, _ expected: String?) {
        let url = URL(string: "http://h/api/image/c")!
        let response = HTTPResponse(status: 200, headers: ["Link": field], url: url)
        #expect(NextPageLink.find(in: response)?.absoluteString == expected)
    }
}
