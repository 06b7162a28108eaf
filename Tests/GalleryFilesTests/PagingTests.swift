import FileProviderTesting
import FileProviding
import Foundation
import GalleryFiles
import Testing

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

    /// A list of two pages, of which the first links to the second as `link` says.
    private func twoPages(_ link: @escaping @Sendable (ScriptedRequest) -> String) throws -> ScriptedResponder {
        try ScriptedResponder { request in
            request.target.hasSuffix("?page=2")
                ? .reply(200, body: #"[{"path":"b.png"}]"#)
                : .reply(200, headers: [("Link", "<\(link(request))>; rel=next")], body: #"[{"path":"a.png"}]"#)
        }
    }

    @Test func aServerThatIsSpelledInAnotherWayIsTheSame() async throws {
        let server = try twoPages { request in
            let port = request["Host"]?.split(separator: ":").last ?? ""
            return "http://localhost:\(port)/api/image/?page=2"
        }
        let provider = try GalleryFileProvider(#require(URL(string: "http://LOCALHOST:\(server.port)")))
        #expect(try await provider.paths("") == ["a.png", "b.png"])
    }

    @Test func pagesGoOnWhereTheFirstOneWasFound() async throws {
        let other = try twoPages { _ in "?page=2" }
        let list = other.url.absoluteString + "api/image/"
        let server = try ScriptedResponder { _ in .reply(302, headers: [("Location", list)]) }
        #expect(try await GalleryFileProvider(server.url).paths("") == ["a.png", "b.png"])
        #expect(server.requests.count == 1)
        #expect(other.requests.map(\.target) == ["/api/image/", "/api/image/?page=2"])
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
}
