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

    @Test(arguments: [500, 503])
    func norIsWhatTheServerFailedAt(status: Int) async throws {
        let document = multistatus("<D:href>/d/</D:href>", "<D:status>HTTP/1.1 \(status) x</D:status>")
        let error = await #expect(throws: WebDAVError.self) { try await list(document) }
        #expect(error?.statusCode == status)
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

    /// As ownCloud says it of a folder that is not finished.
    @Test func whatIsStillBeingProcessedIsListed() async throws {
        let document = multistatus("<D:href>/d/</D:href>", "<D:status>HTTP/1.1 425 TOO EARLY</D:status>")
        #expect(try await list(document).isEmpty)
    }
}
