import FileProviderTesting
import FileProviding
import Foundation
import TestSupport
import Testing

@testable import HTTPFiles

/// Which TLS servers a session talks to: against a real Apache with a self-signed certificate.
@Suite(.enabled(if: TestServers.areThere, "Scripts/test-servers run …"))
struct TrustTests {
    private let url: URL
    private let host: String
    private let fingerprint: String
    private let certificate: String

    init() throws {
        url = try TestServers.url("FP_TEST_APACHE_TLS_URL")
        host = try #require(url.host())
        fingerprint = try TestServers.value("FP_TEST_TLS_FINGERPRINT").lowercased()
        certificate = try TestServers.value("FP_TEST_TLS_CERT")
    }

    private func session(_ adjust: (inout HTTPSessionConfiguration) -> Void = { _ in }) -> HTTPSession {
        var configuration = HTTPSessionConfiguration()
        adjust(&configuration)
        return HTTPSession(origin: url, configuration: configuration, credential: .bearer(token: "secret"))
    }

    private func status(_ session: HTTPSession, _ url: URL) async throws -> Int {
        try await session.data(for: HTTPRequest(.options, url)).0.status
    }

    private func refusal(_ session: HTTPSession, _ url: URL) async throws -> URLError {
        try await #require(throws: URLError.self) { _ = try await status(session, url) }
    }

    @Test func unknownCertificateIsShownBeforeAnythingIsSent() async throws {
        let session = session()
        let error = try await refusal(session, url)
        #expect(error.code == .serverCertificateUntrusted)
        let shown = try #require(error.serverCertificate)
        #expect(shown.fingerprint == fingerprint)
        #expect(shown.host == host)
        #expect(shown.problem == .unknownIssuer)
        #expect(!shown.subject.isEmpty && !shown.issuer.isEmpty && !shown.validUntil.isEmpty)
        #expect(session.requestCount == 0)
        session.pin(shown)
        #expect(try await status(session, url) == 200)
        #expect(session.requestCount == 1)
    }

    /// An app may pin a certificate that another request has met.
    @Test func `what is pinned while a request is under way counts for it`() async throws {
        let session = session()
        let certificate = try #require(try await refusal(session, url).serverCertificate)
        session.pin(certificate)
        #expect(try await session.trust.accepts(certificate))
    }

    @Test func aPersonDecidesOnceForAllWhoWait() async throws {
        let session = session()
        let person = Person(answer: true)
        session.trustDecider = person
        try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<8 { group.addTask { try await status(session, url) } }
            for try await status in group { #expect(status == 200) }
        }
        #expect(person.asked.withLock { $0 }.map(\.fingerprint) == [fingerprint])
    }

    @Test func aPersonWhoRefusesIsAskedAgain() async throws {
        let session = session()
        let person = Person(answer: false)
        session.trustDecider = person
        for times in 1...2 {
            #expect(try await refusal(session, url).serverCertificate?.fingerprint == fingerprint)
            #expect(person.asked.withLock { $0.count } == times)
        }
        #expect(session.requestCount == 0)
    }

    @Test func pinnedCertificateIsTrusted() async throws {
        let written = fingerprint.uppercased().enumerated().map { $0 > 0 && $0 % 2 == 0 ? ":\($1)" : "\($1)" }.joined()
        for pin in [fingerprint, written] {
            let session = session { $0.pinnedCertificates = [host: [pin]] }
            #expect(try await status(session, url) == 200)
            #expect(try await status(session, url) == 200)
        }
    }

    @Test func anotherCertificateThanThePinnedIsNot() async throws {
        // Not even one that verifies: a pinned host has its pins and nothing else.
        for authority in [nil, LocalPath(certificate)] {
            let session = session {
                $0.pinnedCertificates = [host: [String(repeating: "0", count: 64)]]
                $0.certificateAuthorities = authority
            }
            let error = try await refusal(session, url)
            #expect(error.code == .serverCertificateUntrusted)
            #expect(error.serverCertificate?.problem == .notPinned)
            #expect(error.serverCertificate?.fingerprint == fingerprint)
            #expect(session.requestCount == 0)
        }
    }

    /// As in the middle of a renewal. Each connection shows the other certificate.
    @Test(arguments: [true, false])
    func serversThatTakeTurnsAreTrustedEach(arePinned: Bool) async throws {
        let folders = try [TemporaryFolder(), TemporaryFolder()]
        let servers = try folders.map { try TLSServer(in: $0, name: "localhost", days: 2) }
        defer { for server in servers { server.stop() } }
        let proxy = try FaultProxy(toEach: servers.compactMap(\.url.port))
        defer { proxy.stop() }
        var pins: [String] = []
        for server in servers {
            pins.append(try #require(try await refusal(session(), server.url).serverCertificate?.fingerprint))
        }
        let session = session { if arePinned { $0.pinnedCertificates = ["127.0.0.1": Set(pins)] } }
        let person = Person(answer: true)
        session.trustDecider = person
        for _ in 0..<6 {
            #expect(try await session.data(for: HTTPRequest(.get, proxy.url(servers[0].url))).0.status == 200)
        }
        #expect(Set(person.asked.withLock { $0 }.map(\.fingerprint)) == (arePinned ? [] : Set(pins)))
        #expect(person.asked.withLock { $0.count } == (arePinned ? 0 : 2))
    }

    @Test func ownAuthorityIsTrusted() async throws {
        let session = session { $0.certificateAuthorities = LocalPath(certificate) }
        #expect(try await status(session, url) == 200)
        let missing = self.session { $0.certificateAuthorities = LocalPath("/nonexistent.pem") }
        #expect(try await refusal(missing, url).code == .secureConnectionFailed)
    }

    @Test func http2IsSpokenWhenAsked() async throws {
        let session = session {
            $0.pinnedCertificates = [host: [fingerprint]]
            $0.protocolVersion = .http2
        }
        try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<40 { group.addTask { try await status(session, url) } }
            for try await status in group { #expect(status == 200) }
        }
    }

    @Test func certificateOfAnotherHostOrTime() async throws {
        let folder = try TemporaryFolder()
        let expired = try TLSServer(in: folder, name: "localhost", days: -1)
        let other = try TLSServer(in: folder, name: "somewhere.example", days: 2)
        defer { expired.stop(); other.stop() }
        for (server, problem, code) in [
            (expired, ServerCertificate.Problem.expired, URLError.Code.serverCertificateHasBadDate),
            (other, .otherHost, .secureConnectionFailed),
        ] {
            let session = session { $0.certificateAuthorities = LocalPath(server.certificate.path) }
            let error = try await refusal(session, server.url)
            #expect(error.code == code)
            #expect(error.serverCertificate?.problem == problem)
        }
    }

    @Test func theClientShowsItsCertificate() async throws {
        let folder = try TemporaryFolder()
        let server = try TLSServer(in: folder, name: "localhost", days: 2, wantsClient: true)
        defer { server.stop() }
        let authority = LocalPath(server.certificate.path)
        let anonymous = session { $0.certificateAuthorities = authority }
        #expect(try await refusal(anonymous, server.url).serverCertificate == nil)
        var configuration = HTTPSessionConfiguration()
        configuration.certificateAuthorities = authority
        configuration.clientCertificate = ClientCertificate(certificate: authority, key: LocalPath(server.key.path))
        let known = HTTPSession(origin: server.url, configuration: configuration)
        #expect(try await known.data(for: HTTPRequest(.get, server.url)).0.status == 200)
        // To another origin, such as a redirection's, it would tell who the client is.
        let elsewhere = HTTPSession(origin: url, configuration: configuration)
        await #expect(throws: URLError.self) { try await elsewhere.data(for: HTTPRequest(.get, server.url)) }
    }

    @Test func plainServerBehindHTTPS() async throws {
        let plain = try TestServers.url("FP_TEST_APACHE_URL")
        var parts = try #require(URLComponents(url: plain, resolvingAgainstBaseURL: true))
        parts.scheme = "https"
        #expect(try await refusal(session(), try #require(parts.url)).code == .secureConnectionFailed)
    }
}

/// Answers each question about a certificate in the same way.
private final class Person: ServerTrustDeciding {
    let asked = Locked<[ServerCertificate]>([])
    private let answer: Bool

    init(answer: Bool) { self.answer = answer }

    func shouldTrust(_ certificate: ServerCertificate) async -> Bool {
        asked.withLock { $0.append(certificate) }
        return answer
    }
}

/// The openssl program as a server with a certificate of its own.
private final class TLSServer: Sendable {
    let certificate: URL
    let key: URL
    let url: URL
    private let process: ChildProgram

    /// - Parameter wantsClient: whether only a client with a certificate signed by the server's own is served.
    init(in folder: TemporaryFolder, name: String, days: Int, wantsClient: Bool = false) throws {
        let files = ["pem", "key", "csr"].map { folder.url.appending(path: "\(name).\($0)") }
        certificate = files[0]
        key = files[1]
        try Self.openssl([
            "req", "-new", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-subj",
            "/CN=\(name)",
            "-addext", "subjectAltName=DNS:\(name)", "-keyout", files[1].path, "-out", files[2].path,
        ])
        try Self.openssl([
            "x509", "-req", "-in", files[2].path, "-signkey", files[1].path, "-days", "\(days)", "-copy_extensions",
            "copy",
            "-out", files[0].path,
        ])
        let output = Pipe()
        var arguments = [
            "s_server", "-accept", "127.0.0.1:0", "-cert", certificate.path, "-key", files[1].path, "-www",
        ]
        if wantsClient { arguments += ["-Verify", "1", "-verify_return_error", "-CAfile", certificate.path] }
        process = try ChildProgram("openssl", arguments, output: .pipe(output), errors: .nothing)
        // "ACCEPT 127.0.0.1:39531", once it listens.
        var text = ""
        while !text.contains("\n") || !text.contains("ACCEPT ") {
            let more = output.fileHandleForReading.availableData
            if more.isEmpty { break }
            text += String(decoding: more, as: UTF8.self)
        }
        let port = text.split(separator: "\n").first { $0.hasPrefix("ACCEPT ") }?.split(separator: ":").last
        url = try #require(port.flatMap { URL(string: "https://localhost:\($0)/") })
    }

    func stop() {
        kill(process.processIdentifier, SIGKILL)
        process.wait()
    }

    private static func openssl(_ arguments: [String]) throws {
        try #require(try ChildProgram.run("openssl", arguments, errors: .nothing) == 0)
    }
}
