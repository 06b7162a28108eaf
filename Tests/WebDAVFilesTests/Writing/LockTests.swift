import FileProviderTesting
import FileProviding
import Foundation
import HTTPFiles
import TestSupport
import Testing
import WebDAVFiles

/// Locks around what replaces a file, on the servers that have them. One test after the other: of two locks that are
/// taken or given back at once, sabre/dav may lose one (it reads all of them, and writes them back).
@Suite(.serialized) struct LockTests {
    private static let servers = ["APACHE", "SABRE", "NGINX"].filter { TestServer($0) != nil }

    @Test(arguments: servers)
    func aFileIsReplacedUnderALock(name: String) async throws {
        let server = try #require(TestServer(name))
        let (provider, path) = (try provider(of: server), try ItemPath(validating: "/lock-\(UUID())"))
        try await provider.writeContents(path: path, contents: Data("old".utf8))
        #expect(
            try TestServer.requests(of: name, about: path.description).allSatisfy { !$0.hasPrefix("LOCK ") },
            "a new file needs none")

        try await provider.writeContents(path: path, contents: Data("new".utf8), overwrite: true)
        #expect(try await provider.contents(path: path) == Data("new".utf8))
        if name != "NGINX" {
            let large = Data(count: 3 << 20)
            let context = OperationContext(options: OperationOptions(overwrite: true))
            let upload = try await provider.beginPartialWrite(
                path: path, length: Int64(large.count), resuming: nil, in: context)
            try await upload.append(ByteStream(large), in: context)
            _ = try await upload.commit(in: context)
            #expect(try await provider.attributesOfItem(path: path).size == Int64(large.count))
        }
        // Nobody holds it any more.
        try await self.provider(of: server, locking: false)
            .writeContents(path: path, contents: Data("free".utf8), overwrite: true)
        try await provider.removeItem(path: path)
        let verbs = try TestServer.requests(of: name, about: path.description).compactMap {
            $0.split(separator: " ").first
        }
        #expect(verbs.count { $0 == "LOCK" } == (name == "NGINX" ? 1 : 2))
        #expect(verbs.count { $0 == "UNLOCK" } == (name == "NGINX" ? 1 : 2))
    }

    @Test(arguments: servers)
    func aLockLastsAsLongAsTheWrite(name: String) async throws {
        let server = try #require(TestServer(name))
        let (plain, path) = (try provider(of: server), try ItemPath(validating: "/lock-\(UUID())"))
        try await plain.writeContents(path: path, contents: Data("old".utf8))
        let clock = SteppingClock()
        let session = HTTPSession(
            origin: server.url, configuration: plain.configuration.http, pacer: Pacer(clock: clock))
        let provider = try WebDAVFileProvider(configuration: plain.configuration, session: session)
        let locks = { @Sendable in
            try TestServer.requests(of: name, about: path.description).count { $0.hasPrefix("LOCK ") }
        }
        // The bytes come when five minutes have passed, and the lock was asked for once more.
        let source = Self.bytes(after: clock) {
            for _ in 0..<1000 where try locks() < 2 { try await Task.sleep(for: .milliseconds(10)) }
        }
        _ = try await provider.write(path: path, from: source, options: OperationOptions(overwrite: true))
        #expect(try await plain.contents(path: path) == Data("new".utf8))
        try await plain.removeItem(path: path)
        #expect(try locks() == 2)
        #expect(try TestServer.requests(of: name, about: path.description).count { $0.hasPrefix("UNLOCK ") } == 1)
    }

    /// A server decides how long a lock holds (RFC 4918, section 10.7): nginx a minute, unless it is told otherwise.
    @Test func aLockIsRefreshedInTheTimeThatWasGranted() async throws {
        let clock = SteppingClock()
        let server = try ScriptedResponder { request in
            switch request.method {
            case "OPTIONS":
                return .reply(200, headers: [("DAV", "<http://apache.org/dav/propset/fs/1>"), ("Allow", "PUT")])
            case "LOCK":
                return .reply(
                    200, headers: [("Lock-Token", "<urn:1>"), ("Content-Type", "application/xml")],
                    body: """
                        <D:prop xmlns:D="DAV:"><D:lockdiscovery><D:activelock><D:timeout>Second-60</D:timeout>
                        <D:locktoken><D:href>urn:1</D:href></D:locktoken></D:activelock></D:lockdiscovery></D:prop>
                        """)
            case "PROPFIND":
                return .reply(
                    207, headers: [("Content-Type", "application/xml")],
                    body: """
                        <D:multistatus xmlns:D="DAV:"><D:response><D:href>\(request.target)</D:href><D:propstat>
                        <D:prop><D:resourcetype/></D:prop><D:status>HTTP/1.1 200 OK</D:status>
                        </D:propstat></D:response></D:multistatus>
                        """)
            default: return .reply(204)
            }
        }
        defer { server.stop() }
        var configuration = WebDAVConfiguration(url: server.url)
        configuration.locksWrites = true
        let session = HTTPSession(
            origin: server.url, configuration: configuration.http, pacer: Pacer(clock: clock))
        let provider = try WebDAVFileProvider(configuration: configuration, session: session)
        let source = Self.bytes(after: clock) { await clock.untilAsleep() }
        let start = clock.now
        _ = try await provider.write(path: "f", from: source, options: OperationOptions(overwrite: true))
        #expect(start.duration(to: clock.now) == .seconds(30))
        #expect(server.requests.count { $0.method == "LOCK" } == 2)
    }

    @Test(arguments: servers)
    func whatSomebodyElseHasLockedStays(name: String) async throws {
        let server = try #require(TestServer(name))
        let (provider, path) = (try provider(of: server), try ItemPath(validating: "/lock-\(UUID())"))
        try await provider.writeContents(path: path, contents: Data("old".utf8))
        let session = HTTPSession(origin: server.url)
        let body = """
            <D:lockinfo xmlns:D="DAV:"><D:lockscope><D:exclusive/></D:lockscope><D:locktype><D:write/></D:locktype>
            </D:lockinfo>
            """
        let url = provider.url(of: path)
        let (reply, _) = try await session.data(
            for: HTTPRequest(
                .lock, url, headers: ["Content-Type": "application/xml", "Depth": "0"], body: .bytes(Data(body.utf8))))
        let token = try #require(reply.headers["Lock-Token"])
        await #expect {
            _ = try await provider.writeContents(path: path, contents: Data("new".utf8), overwrite: true)
        } throws: {
            ($0 as? CocoaError)?.code == .fileLocking
        }
        #expect(try await provider.contents(path: path) == Data("old".utf8))
        _ = try await session.data(for: HTTPRequest(.unlock, url, headers: ["Lock-Token": token]))
        try await provider.removeItem(path: path)
    }

    /// Bytes that come when the pause before the lock is refreshed is over, and something has happened then.
    private static func bytes(
        after clock: SteppingClock, _ happened: @escaping @Sendable () async throws -> Void
    ) -> ByteStream {
        ByteStream(length: 3) {
            let rest = Locked<Data?>(Data("new".utf8))
            return {
                guard let data = rest.withLock({ $0.take() }) else { return nil }
                await clock.untilAsleep()
                clock.step()
                try await happened()
                return data
            }
        }
    }

    private func provider(of server: TestServer, locking: Bool = true) throws -> WebDAVFileProvider {
        var configuration = WebDAVConfiguration(url: server.url)
        configuration.locksWrites = locking
        configuration.http.retry = .never
        return try WebDAVFileProvider(configuration: configuration, credential: nil)
    }
}
