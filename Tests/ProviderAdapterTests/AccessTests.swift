import CloudCore
import FileProviderTesting
import FileProviders
import Foundation
import ProviderAdapter
import TestSupport
import Testing

/// Issues about the way to a server, and what their answers do, over Apache with TLS and with passwords.
@Suite(.enabled(if: apache != nil, "Scripts/test-servers run …"))
struct AccessTests {
    private typealias Issue = CloudCore.Issue

    private let vaults: LocalTree
    private let log = BookmarkLog()

    init() throws { vaults = try LocalTree() }

    @Test func `a certificate that a person trusts is pinned in the bookmark, and the vault goes on`() async throws {
        let url = try #require(URL(string: TestServer.variable("APACHE_TLS_URL")))
        try await withFolder(of: url) { folder in
            let bookmark = try Bookmark(name: "TLS", url: folder)
            let core = try core(bookmark, ProviderAdapter(Self.provider(folder, credential: nil)))
            try await core.setIssueDelegate(log)
            _ = try await core.submit(.upload(ByteStream(Data("x".utf8)), as: ItemName(validating: "file"), in: .root))
            try await core.settle()
            await #expect(throws: URLError.self) { try await core.scan() }
            #expect(core.connectionStatus == .untrusted)
            let issue = try #require(try await core.issues().first)
            #expect(issue.id == Issue.ID(.certificateUntrusted))
            #expect(issue.choices.map(\.answer) == [.trust, .retry, .cancel])
            guard case .certificate(let certificate)? = issue.subject else {
                Testing.Issue.record("no certificate to look at")
                return
            }
            #expect(certificate.fingerprint == TestServer.variable("TLS_FINGERPRINT"))

            try await core.resolve(issue.id, with: .retry)
            #expect(try await core.issues().count == 1)
            try await core.resolve(issue.id, with: .cancel)
            #expect(try await core.issues().isEmpty)
            try await core.settle()
            #expect(try await core.syncRecords().count == 1)
            await core.reconnect()
            try await core.resolve(issue.id, with: .trust)
            #expect(core.connectionStatus == .online)
            #expect(core.bookmark.pinnedCertificates == ["localhost": [certificate.fingerprint]])
            #expect(log.bookmarks == [core.bookmark])
            try await core.settle()
            try await core.scan()
            #expect(try await core.syncRecords().isEmpty)
            #expect(try await core.issues().isEmpty)
            #expect(try await core.item(at: "/file")?.cloudStatus == .localCopy)

            // Kept with the bookmark, it holds for the next program.
            let pinned = core.bookmark
            try await core.close()
            let again = try self.core(pinned, ProviderAdapter(Self.provider(folder, bookmark: pinned, credential: nil)))
            try await again.scan()
            #expect(again.connectionStatus == .online)
            try await again.close()
        }
    }

    @Test func `a password that is wrong is an issue, and everything goes on with the right one`() async throws {
        let url = try #require(URL(string: TestServer.variable("APACHE_BASIC_URL")))
        try await withFolder(of: url) { folder in
            let wrong = Credential.password(user: TestServer.variable("USER"), password: "wrong")
            let present = Locked(wrong)
            let bookmark = try Bookmark(name: "Basic", url: folder)
            let core = try core(
                bookmark,
                ProviderAdapter(Self.provider(folder, credential: wrong)) { bookmark in
                    (try Self.provider(bookmark.url, bookmark: bookmark, credential: present.withLock { $0 }), .root)
                })
            _ = try await core.submit(.createFolder(ItemName(validating: "made"), in: .root))
            try await core.settle()
            #expect(core.connectionStatus == .unauthenticated)
            #expect(try await core.issues().map(\.id) == [Issue.ID(.authenticationNeeded)])
            try await core.resolve(Issue.ID(.authenticationNeeded), with: .retry)
            #expect(core.connectionStatus == .unauthenticated)
            present.withLock { $0 = TestServer.credential }
            try await core.resolve(Issue.ID(.authenticationNeeded), with: .retry)
            #expect(core.connectionStatus == .online)
            #expect(try await core.issues().isEmpty)
            try await core.settle()
            #expect(try await core.item(at: "/made")?.cloudStatus == .cloudOnly)
            try await core.close()
        }
    }

    @Test(arguments: [301, 308])
    func `a server that has moved for good is followed when a person says so, and the credential not before`(
        status: Int
    ) async throws {
        let target = try #require(URL(string: TestServer.variable("APACHE_BASIC_URL")))
        let received = Locked<[String?]>([])
        let relay = try ScriptedResponder { request in
            // Stands where the server has moved to, and sees what comes there.
            received.withLock { $0.append(request.headers.first { $0.name.lowercased() == "authorization" }?.value) }
            return .reply(401, headers: [("WWW-Authenticate", "Basic realm=\"x\"")])
        }
        let isMoved = Locked(relay.url)
        let old = try ScriptedResponder { request in
            let place = isMoved.withLock { $0 }.appending(path: String(request.target.dropFirst()))
            return .reply(status, headers: [("Location", place.absoluteString)])
        }
        try await withFolder(of: target) { folder in
            let address = try #require(URL(string: String(folder.path().dropFirst()), relativeTo: old.url))
            let bookmark = try Bookmark(name: "Moved", url: address.absoluteURL)
            let core = try core(
                bookmark,
                ProviderAdapter(Self.provider(bookmark.url, credential: TestServer.credential)) { bookmark in
                    let provider = try Self.provider(
                        bookmark.url, bookmark: bookmark, credential: TestServer.credential)
                    return (provider, .root)
                })
            try await core.setIssueDelegate(log)
            _ = try await core.submit(.upload(ByteStream(Data("x".utf8)), as: ItemName(validating: "file"), in: .root))
            try await core.settle()
            await core.reconnect()
            #expect(core.connectionStatus == .redirected)
            let issue = try #require(try await core.issues().first)
            #expect(issue.id == Issue.ID(.redirected))
            #expect(issue.choices.map(\.answer) == [.follow, .retry, .cancel])
            #expect(received.withLock { $0 }.allSatisfy { $0 == nil })
            #expect(!received.withLock { $0 }.isEmpty)

            // It has moved once more, to where it is.
            isMoved.withLock { $0 = URL(string: "/", relativeTo: target)!.absoluteURL }
            try await core.resolve(issue.id, with: .retry)
            let present = try #require(try await core.issues().first)
            guard case .address(let place)? = present.subject else {
                Testing.Issue.record("no address to look at")
                return
            }
            #expect(place.port == target.port && place.path() == folder.path())
            try await core.resolve(present.id, with: .follow)
            #expect(core.connectionStatus == .online)
            #expect(core.bookmark.url == place && core.bookmark.originalURL == bookmark.url)
            #expect(log.bookmarks == [core.bookmark])
            try await core.settle()
            try await core.scan()
            #expect(try await core.syncRecords().isEmpty)
            #expect(try await core.issues().isEmpty)
            #expect(received.withLock { $0 }.allSatisfy { $0 == nil })
            try await core.close()
        }
    }

    @Test func `a connection that cannot change its address has the bookmark changed for the next one`() async throws {
        let old = try ScriptedResponder { request in
            .reply(308, headers: [("Location", "http://127.0.0.1:1\(request.target)")])
        }
        let url = old.url.appending(path: "dav/")
        let core = try core(Bookmark(name: "Moved", url: url), ProviderAdapter(Self.provider(url, credential: nil)))
        await core.reconnect()
        #expect(core.connectionStatus == .redirected)
        try await core.resolve(Issue.ID(.redirected), with: .follow)
        #expect(core.bookmark.url.absoluteString == "http://127.0.0.1:1/dav/")
        #expect(core.connectionStatus == .redirected)
        try await core.close()
    }

    @Test func `an upload to a server that answers from one other address waits for a person`() async throws {
        let elsewhere = try ScriptedResponder { request in
            guard request.method == "PROPFIND" else { return .reply(200, headers: [("DAV", "1")]) }
            return .reply(
                207,
                body: """
                    <D:multistatus xmlns:D="DAV:"><D:response><D:href>/dav/</D:href><D:propstat><D:prop>
                    <D:resourcetype><D:collection/></D:resourcetype></D:prop><D:status>HTTP/1.1 200 OK</D:status>
                    </D:propstat></D:response></D:multistatus>
                    """)
        }
        defer { elsewhere.stop() }
        let place = elsewhere.url.appending(path: "dav/").absoluteString
        let old = try ScriptedResponder { _ in .reply(301, headers: [("Location", place)]) }
        defer { old.stop() }
        let url = old.url.appending(path: "files/")
        let core = try core(Bookmark(name: "Moved", url: url), ProviderAdapter(Self.provider(url, credential: nil)))
        _ = try await core.submit(.upload(ByteStream(Data("x".utf8)), as: ItemName(validating: "file"), in: .root))
        try await core.settle()
        #expect(core.connectionStatus == .redirected)
        #expect(try await core.issues().map(\.id) == [Issue.ID(.redirected)])
        #expect(try await core.syncRecords().count == 1)
        try await core.close()
    }

    // MARK: Means

    private func core(_ bookmark: Bookmark, _ connection: ProviderAdapter) throws -> Core {
        Core(vault: try Vault(of: bookmark, in: LocalPath(vaults.url.path)), connection: connection)
    }

    private static func provider(
        _ url: URL, bookmark: Bookmark? = nil, credential: Credential?
    ) throws -> WebDAVFileProvider {
        var configuration = WebDAVConfiguration(url: url)
        configuration.http.pinnedCertificates = bookmark?.pinnedCertificates ?? [:]
        return try WebDAVFileProvider(configuration: configuration, credential: credential)
    }

    /// A fresh folder on the server, which is made and removed by somebody who is let in.
    private func withFolder(of url: URL, _ body: (URL) async throws -> Void) async throws {
        let name = "access-\(UUID())"
        let pins = ["localhost": [TestServer.variable("TLS_FINGERPRINT")] as Set]
        let trusting = try Bookmark(name: "Plain", url: url, pinnedCertificates: pins)
        let plain = try Self.provider(url, bookmark: trusting, credential: TestServer.credential)
        let folder = try ItemPath(validating: "/" + name)
        try await plain.createDirectory(path: folder)
        do {
            try await body(url.appending(path: name + "/"))
            try await plain.removeItem(path: folder)
        } catch {
            try? await plain.removeItem(path: folder)
            throw error
        }
    }
}

private let apache = TestServer("APACHE")

/// Keeps the bookmarks that a core tells of.
private final class BookmarkLog: IssueDelegate {
    private let told = Locked<[Bookmark]>([])

    var bookmarks: [Bookmark] { told.withLock { $0 } }

    func issueWasRaised(_ issue: CloudCore.Issue) {}
    func issueWasSettled(_ issue: CloudCore.Issue) {}
    func bookmarkWasChanged(_ bookmark: Bookmark) { told.withLock { $0.append(bookmark) } }
}
