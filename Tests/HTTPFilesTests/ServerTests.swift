import FileProviding
import Foundation
import HTTPFiles
import Testing

/// Against a real Apache (`Scripts/test-servers`).
@Suite(.enabled(if: TestServers.areThere, "Scripts/test-servers run …"))
struct ServerTests {
    private let servers: TestServers

    init() throws { servers = try TestServers() }

    @Test func fileGoesThereAndBack() async throws {
        let folder = try TemporaryFolder()
        let bytes = pattern(40_000_000)
        let (source, _) = try folder.file(bytes)
        let (target, copy) = try folder.file()
        let session = HTTPSession(origin: servers.plain)
        let url = servers.plain.appending(path: UUID().uuidString)
        let body = ByteStream(ByteStream.LocalFileSlice(file: source, range: 0..<40_000_000))
        let sent = Log<Int64>()
        let (created, _) = try await session.data(for: HTTPRequest(.put, url, body: .stream(body))) { sent.add($0) }
        #expect(created.status == 201)
        #expect(sent.values == sent.values.sorted() && sent.values.last == 40_000_000)
        let result = try await session.download(HTTPRequest(.get, url), into: target, at: 0) { _ in .write() }
        #expect(result.written == 40_000_000)
        #expect(try Data(contentsOf: copy) == bytes)
        var part = HTTPRequest(.get, url)
        part.headers["Range"] = "bytes=1000-1999"
        let (ranged, range) = try await session.data(for: part)
        #expect(ranged.status == 206)
        #expect(range == bytes[1000..<2000])
        #expect(try await session.data(for: HTTPRequest(.delete, url)).0.status == 204)
        #expect(try await session.data(for: HTTPRequest(.head, url)).0.status == 404)
        #expect(session.requestCount == 5)
    }

    @Test func bodyOfUnknownLengthArrives() async throws {
        let bytes = pattern(3_000_000)
        let url = servers.plain.appending(path: UUID().uuidString)
        let session = HTTPSession(origin: servers.plain)
        let chunks = AsyncStream { continuation in
            for start in stride(from: 0, to: bytes.count, by: 100_000) {
                continuation.yield(bytes.dropFirst(start).prefix(100_000))
            }
            continuation.finish()
        }
        let (created, _) = try await session.data(for: HTTPRequest(.put, url, body: .stream(ByteStream(chunks))))
        #expect(created.status == 201)
        let (_, body) = try await session.stream(for: HTTPRequest(.get, url))
        #expect(try await body.collect() == bytes)
    }

    @Test func reusedHandleForgetsTheRequestBefore() async throws {
        let session = HTTPSession(origin: servers.plain)
        let url = servers.plain.appending(path: UUID().uuidString)
        let (file, _) = try TemporaryFolder().file(pattern(200_000))
        let body = ByteStream(ByteStream.LocalFileSlice(file: file, range: 0..<200_000))
        let question = Data(#"<propfind xmlns="DAV:"><propname/></propfind>"#.utf8)
        for round in 0..<3 {
            // The large handle: a body from a file, one in memory, none.
            let put = try await session.stream(for: HTTPRequest(.put, url, body: .stream(body)))
            #expect(put.0.status == (round == 0 ? 201 : 204))
            let list = HTTPRequest(.propfind, url, headers: ["Depth": "0"], body: .bytes(question))
            let (listed, listing) = try await session.stream(for: list)
            #expect(listed.status == 207)
            #expect(String(decoding: try await listing.collect(), as: UTF8.self).contains("propstat"))
            #expect(try await session.stream(for: HTTPRequest(.get, url)).1.collect() == pattern(200_000))
            let (head, nothing) = try await session.stream(for: HTTPRequest(.head, url))
            #expect(head.contentLength == 200_000)
            #expect(try await nothing.collect().isEmpty)
            // The small one.
            #expect(try await session.data(for: list).0.status == 207)
            #expect(try await session.data(for: HTTPRequest(.head, url)).0.status == 200)
            #expect(try await session.data(for: HTTPRequest(.get, url)).1.count == 200_000)
        }
        #expect(try await session.data(for: HTTPRequest(.put, url)).0.status == 204)
        #expect(try await session.data(for: HTTPRequest(.get, url)).1.isEmpty)
        #expect(try await session.data(for: HTTPRequest(.delete, url)).0.status == 204)
    }

    @Test(arguments: ["basic", "digest"])
    func passwordIsTaken(scheme: String) async throws {
        let base = try servers.url("FP_TEST_APACHE_\(scheme.uppercased())_URL")
        let session = HTTPSession(origin: base, credential: servers.password)
        let url = base.appending(path: UUID().uuidString)
        let large = pattern(2_000_000)
        let chunks = AsyncStream { continuation in
            continuation.yield(large)
            continuation.finish()
        }
        // Even a body that can be sent only once survives the challenge: it waits for the server's permission.
        let put = HTTPRequest(.put, url, body: .stream(ByteStream(chunks, length: Int64(large.count))))
        #expect(try await session.data(for: put).0.status == 201)
        #expect(try await session.data(for: HTTPRequest(.get, url)).1 == large)
        let before = session.requestCount
        for _ in 0..<5 { #expect(try await session.data(for: HTTPRequest(.head, url)).0.status == 200) }
        #expect(session.requestCount == before + 5)
        session.credential = .password(user: "tester", password: "wrong")
        #expect(try await session.data(for: HTTPRequest(.get, url)).0.status == 401)
        session.credential = nil
        #expect(try await session.data(for: HTTPRequest(.get, url)).0.status == 401)
    }

    /// Where each share has users of its own, although none has accepted a request yet.
    @Test func eachRealmIsAnswered() async throws {
        let base = try servers.url("FP_TEST_APACHE_DIGEST_URL")
        let session = HTTPSession(origin: base, credential: servers.password)
        let (missing, share) = (base.appending(path: UUID().uuidString), try servers.url("FP_TEST_APACHE_SHARE_URL"))
        for (url, status) in [(missing, 404), (share, 207), (missing, 404)] {
            let request = HTTPRequest(.propfind, url, headers: ["Depth": "0"])
            #expect(try await session.data(for: request).0.status == status)
        }
    }

    /// As a copy through this machine: an upload that waits for its bytes keeps no connection from fetching them.
    @Test(.timeLimit(.minutes(5))) func whatIsFetchedFromTheServerIsSentToIt() async throws {
        var configuration = HTTPSessionConfiguration()
        configuration.maximumConnections = 2
        let session = HTTPSession(origin: servers.plain, configuration: configuration)
        let bytes = pattern(3_000_000)
        let source = servers.plain.appending(path: UUID().uuidString)
        #expect(try await session.data(for: HTTPRequest(.put, source, body: .bytes(bytes))).0.status == 201)
        try await withThrowingTaskGroup(of: Data.self) { group in
            for number in 0..<8 {
                let copy = source.appendingPathExtension(String(number))
                group.addTask {
                    let body = ByteStream(length: Int64(bytes.count)) {
                        try await session.stream(for: HTTPRequest(.get, source)).1.begin()
                    }
                    #expect(try await session.data(for: HTTPRequest(.put, copy, body: .stream(body))).0.status == 201)
                    return try await session.data(for: HTTPRequest(.get, copy)).1
                }
            }
            for try await copied in group { #expect(copied == bytes) }
        }
    }

    @Test func manySmallRequestsShareConnections() async throws {
        let session = HTTPSession(origin: servers.plain)
        let folder = servers.plain.appending(path: UUID().uuidString)
        #expect(try await session.data(for: HTTPRequest(.mkcol, folder)).0.status == 201)
        try await withThrowingTaskGroup(of: Int.self) { group in
            for number in 0..<300 {
                let url = folder.appending(path: "\(number)")
                group.addTask {
                    try await session.data(for: HTTPRequest(.put, url, body: .bytes(Data("\(number)".utf8)))).0.status
                }
            }
            for try await status in group { #expect(status == 201) }
        }
        #expect(session.requestCount == 301)
    }
}

/// Where the real servers are, by the environment that `Scripts/test-servers` makes.
struct TestServers {
    private struct Missing: Error {
        let variable: String
    }

    /// Whether the tests are to run: where servers are required, a missing one is a failure.
    static let areThere =
        ProcessInfo.processInfo.environment["FP_TEST_APACHE_URL"] != nil
        || ProcessInfo.processInfo.environment["FP_TEST_SERVERS_REQUIRED"] == "1"

    let plain: URL
    let password: Credential

    init() throws {
        plain = try Self.url("FP_TEST_APACHE_URL")
        password = .password(user: try Self.value("FP_TEST_USER"), password: try Self.value("FP_TEST_PASSWORD"))
    }

    func url(_ variable: String) throws -> URL { try Self.url(variable) }

    static func url(_ variable: String) throws -> URL {
        guard let url = URL(string: try value(variable)) else { throw Missing(variable: variable) }
        return url
    }

    static func value(_ variable: String) throws -> String {
        guard let value = ProcessInfo.processInfo.environment[variable] else { throw Missing(variable: variable) }
        return value
    }
}
