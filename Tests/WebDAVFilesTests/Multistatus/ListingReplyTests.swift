import FileProviderTesting
import FileProviding
import Foundation
import Testing

@testable import WebDAVFiles

/// Replies to a listing that list nothing, as no server gives them on demand.
@Suite struct ListingReplyTests {
    private func list(_ document: String) async throws -> [FileObject] {
        let server = try ScriptedResponder { _ in
            .reply(207, headers: [("Content-Type", "application/xml")], body: document)
        }
        defer { server.stop() }
        let provider = try WebDAVFileProvider(configuration: WebDAVConfiguration(url: server.url), credential: nil)
        return try await provider.contentsOfDirectory(path: "d")
    }

    @Test(arguments: [
        ("403 Forbidden", CocoaError.Code.fileReadNoPermission), ("404 Not Found", .fileReadNoSuchFile),
        ("423 Locked", .fileLocking),
    ])
    func whatCouldNotBeListedIsNotEmpty(status: String, code: CocoaError.Code) async throws {
        let document = multistatus("<D:href>/d/</D:href>", "<D:status>HTTP/1.1 \(status)</D:status>")
        let error = await #expect(throws: CocoaError.self) { try await list(document) }
        #expect(error?.code == code)
    }

    /// As an old dav-ext answers for what does not exist.
    @Test func whatHasNoPropertyIsNotThere() async throws {
        let absent = """
            <D:href>/d/</D:href><D:propstat><D:prop><D:resourcetype/><D:getetag/></D:prop>
            <D:status>HTTP/1.1 404 Not Found</D:status></D:propstat>
            """
        let error = await #expect(throws: CocoaError.self) { try await list(multistatus(absent)) }
        #expect(error?.isNoSuchFile == true)
    }

    /// As sabre/dav answers where access control hides an item. Members that are listed all the same are shown.
    @Test func whatMayNotBeSeenIsNotEmpty() async throws {
        let hidden = "<D:href>/d/</D:href>" + propstat("<D:resourcetype/><D:getetag/>", status: "403 Forbidden")
        let error = await #expect(throws: CocoaError.self) { try await list(multistatus(hidden)) }
        #expect(error?.code == .fileReadNoPermission)
        let member = "</D:response><D:response><D:href>/d/f</D:href>" + propstat("<D:resourcetype/>")
        #expect(try await list(multistatus(hidden + member)).map(\.path) == ["/d/f"])
        let server = try ScriptedResponder { _ in .reply(207, body: multistatus(hidden)) }
        defer { server.stop() }
        let provider = try WebDAVFileProvider(configuration: WebDAVConfiguration(url: server.url), credential: nil)
        for look in [
            { _ = try await provider.attributesOfItem(path: "d") },
            { _ = try await provider.storageProperties(path: "d") },
        ] as [@Sendable () async throws -> Void] {
            let error = await #expect(throws: CocoaError.self) { try await look() }
            #expect(error?.code == .fileReadNoPermission)
        }
    }

    @Test func aStatusWithoutVersionIsUnderstood() throws {
        let response = try responses(
            multistatus("<D:href>/f</D:href>", "<D:status>404 Not Found</D:status>"))[0]
        #expect(response.status == 404)
    }

    /// As Nextcloud answers that begins to send before it has looked.
    @Test(arguments: [
        #"<d:error xmlns:d="DAV:" xmlns:s="http://sabredav.org/ns">EXCEPTION</d:error>"#,
        #"<d:multistatus xmlns:d="DAV:"><d:error xmlns:s="http://sabredav.org/ns">EXCEPTION</d:error>"#,
        #"<d:multistatus xmlns:d="DAV:" xmlns:s="http://sabredav.org/ns">EXCEPTION</d:multistatus>"#,
    ])
    func aRefusalWithinA207IsOne(document: String) async throws {
        let exception = #"<s:exception>Sabre\DAV\Exception\NotFound</s:exception><s:message>no</s:message>"#
        let document = #"<?xml version="1.0"?>"# + document.replacing("EXCEPTION", with: exception)
        let error = await #expect(throws: CocoaError.self) { try await list(document) }
        #expect(error?.isNoSuchFile == true)
        let server = try ScriptedResponder { _ in .reply(207, body: document) }
        defer { server.stop() }
        let provider = try WebDAVFileProvider(configuration: WebDAVConfiguration(url: server.url), credential: nil)
        let other = await #expect(throws: CocoaError.self) { try await provider.attributesOfItem(path: "f") }
        #expect(other?.isNoSuchFile == true)
    }

    @Test(arguments: [500, 503])
    func norIsWhatTheServerFailedAt(status: Int) async throws {
        let document = multistatus("<D:href>/d/</D:href>", "<D:status>HTTP/1.1 \(status) x</D:status>")
        let error = await #expect(throws: WebDAVError.self) { try await list(document) }
        #expect(error?.statusCode == status)
    }

    /// A listing that ends early says so in a further response about the collection.
    @Test func aListingThatIsCutShortIsNoListing() async throws {
        let status = "<D:status>HTTP/1.1 507 Insufficient Storage</D:status>"
        let responses = ["<D:href>/d/</D:href>" + propstat(""), "<D:href>/d/f</D:href>" + propstat("")]
        let document = multistatus(
            (responses + ["<D:href>/d/</D:href>" + status]).joined(separator: "</D:response><D:response>"))
        let error = await #expect(throws: (any Error).self) { try await list(document) }
        #expect(error?.httpStatus == 507, "\(String(describing: error))")
    }

    /// As sabre/dav lists a file whose name is not UTF-8: nobody is to think that all was listed.
    @Test func aMemberWithoutANameIsNotLeftOutSilently() async throws {
        let file = "<D:resourcetype/><D:getcontentlength>4</D:getcontentlength>"
        let folder = "<D:resourcetype><D:collection/></D:resourcetype>"
        let lists: ([String]) -> String = { multistatus($0.joined(separator: "</D:response><D:response>")) }
        let collection = "<D:href>/d/</D:href>" + propstat(folder)
        let error = await #expect(throws: CocoaError.self) {
            try await list(lists([collection, "<D:href>/d/</D:href>" + propstat(file)]))
        }
        #expect(error?.isNamelessMember == true)
        // Some servers list a collection twice.
        _ = try await list(lists([collection, collection]))
    }

    @Test func aReplyThatListsNothingAtAllIsNone() async throws {
        let error = await #expect(throws: URLError.self) { try await list(#"<D:multistatus xmlns:D="DAV:"/>"#) }
        #expect(error?.code == .cannotParseResponse)
    }

    @Test func aDirectoryThatHasMovedIsListedWhereItIs() async throws {
        let server = try ScriptedResponder { request in
            guard request.target.hasPrefix("/there/") else {
                return .reply(302, headers: [("Location", "/there" + request.target)])
            }
            let entries = ["<D:href>/there/d/</D:href>", "<D:href>/there/d/f</D:href>"].map { $0 + propstat("") }
            return .reply(207, body: multistatus(entries.joined(separator: "</D:response><D:response>")))
        }
        defer { server.stop() }
        let provider = try WebDAVFileProvider(configuration: WebDAVConfiguration(url: server.url), credential: nil)
        #expect(try await provider.contentsOfDirectory(path: "d").map(\.path) == ["/d/f"])
    }

    /// Other requests would only make it wait longer, and remove what the server may not be asked about now.
    @Test(arguments: [429, 503])
    func nothingIsRemovedPieceByPieceFromAServerThatAsksForAPause(status: Int) async throws {
        let server = try ScriptedResponder { request in
            guard request.method == "DELETE" else {
                let entries = ["<D:href>/d/</D:href>", "<D:href>/d/f</D:href>"].map { $0 + propstat("") }
                return .reply(207, body: multistatus(entries.joined(separator: "</D:response><D:response>")))
            }
            return .reply(status, headers: [("Retry-After", "600")])
        }
        defer { server.stop() }
        let provider = try WebDAVFileProvider(configuration: WebDAVConfiguration(url: server.url), credential: nil)
        await #expect(throws: WebDAVError.self) { try await provider.removeItem(path: "d") }
        #expect(server.requests.count { $0.method == "DELETE" } == 1)
    }

    /// A server that lists one file on each page, and links to the next page as `link` says by the request.
    private func paging(_ link: @escaping @Sendable (ScriptedRequest) -> String?) throws -> ScriptedResponder {
        try ScriptedResponder { request in
            guard request.method == "PROPFIND" else { return .reply(404) }
            let name = request.target.split(separator: "=").last.map { $0 == "2" ? "second" : "first" } ?? ""
            let entries = ["<D:href>/d/</D:href>", "<D:href>/d/\(name)</D:href>"].map { $0 + propstat("") }
            return .reply(
                207, headers: link(request).map { [("Link", "<\($0)>; rel=\"next\"")] } ?? [],
                body: multistatus(entries.joined(separator: "</D:response><D:response>")))
        }
    }

    /// Lists "d" to its end or to the first error.
    private func pages(of server: ScriptedResponder) async throws -> (names: [String], error: (any Error)?) {
        let provider = try WebDAVFileProvider(configuration: WebDAVConfiguration(url: server.url), credential: nil)
        var names: [String] = []
        do {
            for try await page in provider.listing(path: "d") { names += page.map(\.name) }
        } catch {
            return (names, error)
        }
        return (names, nil)
    }

    /// Nutstore gives 750 entries, and the whole address of the next.
    @Test func whatTheServerLinksToIsListedToo() async throws {
        let server = try paging { request in
            request.target == "/d/" ? "http://\(request["Host"] ?? "")/d/?page=2" : nil
        }
        defer { server.stop() }
        let (names, error) = try await pages(of: server)
        #expect(names == ["first", "second"] && error == nil)
        let asked = server.requests.filter { $0.method == "PROPFIND" }
        #expect(asked.map(\.target) == ["/d/", "/d/?page=2"])
        #expect(asked.map { $0["Depth"] } == ["1", "1"] && asked[0].body == asked[1].body)
    }

    @Test func theFirstPageIsNotItsOwnNext() async throws {
        let server = try paging { _ in "/d/" }
        defer { server.stop() }
        let (names, error) = try await pages(of: server)
        #expect(names == ["first"] && (error as? CocoaError)?.code == .fileReadCorruptFile)
    }

    @Test func aPageOfAnotherServerIsNotAskedFor() async throws {
        let server = try paging { _ in "http://elsewhere.invalid/d/?page=2" }
        defer { server.stop() }
        let (names, error) = try await pages(of: server)
        #expect(names == ["first"] && (error as? URLError)?.code == .badServerResponse)
        #expect(server.requests.count { $0.method == "PROPFIND" } == 1)
    }

    @Test func aPageThatLeadsToItselfEndsTheListing() async throws {
        let server = try paging { _ in "/d/?page=2" }
        defer { server.stop() }
        let (names, error) = try await pages(of: server)
        #expect(names == ["first", "second"] && (error as? CocoaError)?.code == .fileReadCorruptFile)
        #expect(server.requests.count { $0.method == "PROPFIND" } == 2)
    }

    /// As ownCloud says it of a folder that is not finished.
    @Test func whatIsStillBeingProcessedIsListed() async throws {
        let document = multistatus("<D:href>/d/</D:href>", "<D:status>HTTP/1.1 425 TOO EARLY</D:status>")
        #expect(try await list(document).isEmpty)
    }
}
