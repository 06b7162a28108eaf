import FileProviderTesting
import FileProviders
import Foundation
import TestSupport
import Testing

/// The contract over WebDAV, once for each server; what a server cannot do is declared here, and then held against it.
@Suite struct WebDAVContractTests {
    @Test("mod_dav", .enabled(if: TestServer("APACHE") != nil), arguments: ContractCase.all)
    func apache(_ test: ContractCase) async throws { try await test.run(on: Self.apache) }

    @Test("mod_dav behind TLS", .enabled(if: TestServer("APACHE_PROXIED") != nil), arguments: ContractCase.all)
    func proxied(_ test: ContractCase) async throws { try await test.run(on: Self.proxied) }

    @Test("sabre/dav", .enabled(if: TestServer("SABRE") != nil), arguments: ContractCase.all)
    func sabre(_ test: ContractCase) async throws { try await test.run(on: Self.sabre) }

    @Test("nginx dav-ext", .enabled(if: TestServer("NGINX") != nil), arguments: ContractCase.all)
    func nginx(_ test: ContractCase) async throws { try await test.run(on: Self.nginx) }

    @Test("lighttpd", .enabled(if: TestServer("LIGHTTPD") != nil), arguments: ContractCase.all)
    func lighttpd(_ test: ContractCase) async throws { try await test.run(on: Self.lighttpd) }

    @Test("WsgiDAV", .enabled(if: TestServer("WSGIDAV") != nil), arguments: ContractCase.all)
    func wsgidav(_ test: ContractCase) async throws { try await test.run(on: Self.wsgidav) }

    @Test("rclone serve webdav", .enabled(if: TestServer("RCLONE") != nil), arguments: ContractCase.all)
    func rclone(_ test: ContractCase) async throws { try await test.run(on: Self.rclone) }

    @Test("golang.org/x/net/webdav", .enabled(if: TestServer("GODAV") != nil), arguments: ContractCase.all)
    func godav(_ test: ContractCase) async throws { try await test.run(on: Self.godav) }

    private static let apache = subject("APACHE", modDAV)
    private static let proxied = subject("APACHE_PROXIED") {
        modDAV(&$0)
        // The first of them finds out by which address the server knows itself.
        $0.budget.copy = 2
        $0.budget.move = 2
    }

    private static func modDAV(_ expectations: inout ContractExpectations) {
        expectations.decidesRaces = false
        expectations.has.insert(.partialWrites)
        expectations.refusesName = { _ in false }
    }

    private static let sabre = subject("SABRE") {
        // Hashes a file for each look at it.
        $0.largeFile = 8 << 20
        $0.decidesRaces = false
        $0.reportsVolume = true
        $0.has.insert(.partialWrites)
        $0.refusesName = { name in
            name.text.unicodeScalars.contains { [0xFEFF, 0x130, 0xFFFD].contains($0.value) }
                || String(validating: name.bytes, as: UTF8.self) == nil
        }
        $0.refusesDirectoryName = { $0.bytes.contains(UInt8(ascii: "\n")) }
        $0.budget.write = 2
        $0.budget.copy = 3
        $0.budget.move = 2
        $0.budget.remove = 2
    }

    private static let nginx = subject("NGINX") {
        $0.decidesRaces = false
        $0.refuses.insert(.partialWrites)
        $0.refusesName = { $0.isHidden }
        $0.budget.write = 2
        $0.budget.copy = 2
        $0.budget.move = 2
    }

    private static let lighttpd = subject("LIGHTTPD") {
        // Does one thing at a time.
        $0.largeFile = 8 << 20
        $0.decidesRaces = false
        $0.refuses.insert(.partialWrites)
        $0.refusesName = { name in
            String(validating: name.bytes, as: UTF8.self) == nil || name.bytes.contains { $0 < 0x20 || $0 == 0x7F }
        }
        $0.budget.write = 4
        $0.budget.create = 2
        $0.budget.copy = 5
        $0.budget.move = 4
        $0.budget.remove = 3
    }

    private static let wsgidav = subject("WSGIDAV") {
        $0.decidesRaces = false
        $0.reportsVolume = true
        $0.refuses.insert(.partialWrites)
        $0.refusesDestinationName = { $0.bytes.contains { "?;\t\n\r".utf8.contains($0) } }
        $0.budget.write = 2
    }

    private static let rclone = subject("RCLONE") {
        golang(&$0)
        $0.largeDirectory = 200
    }

    private static let godav = subject("GODAV", golang)

    private static func golang(_ expectations: inout ContractExpectations) {
        expectations.refuses.insert(.partialWrites)
        expectations.refusesName = { name in
            String(validating: name.bytes, as: UTF8.self) == nil || name.bytes.contains { $0 < 0x20 || $0 == 0x7F }
        }
        expectations.budget.write = 4
        expectations.budget.copy = 5
        expectations.budget.move = 4
        expectations.budget.remove = 2
    }

    private static func subject(
        _ name: String, _ adjust: (inout ContractExpectations) -> Void
    ) -> ContractSubject {
        var expectations = ContractExpectations()
        expectations.has.formUnion([.configuration, .remote])
        // What only clouds have.
        expectations.refuses = [
            .monitoring, .trash, .versions, .publicLinks, .shares, .details, .checksums, .accounts, .spaces,
            .favorites, .settingAttributes, .changeTokens,
        ]
        expectations.settableTimePrecision = nil
        // RFC 4331 is for those who ask for it.
        expectations.reportsVolume = false
        // Most servers are UTF-8 through and through.
        expectations.refusesName = { String(validating: $0.bytes, as: UTF8.self) == nil }
        expectations.versionsDistinguishEveryWrite = false
        expectations.parallelCases = 4
        expectations.requestCount = { ($0 as? WebDAVFileProvider)?.session.requestCount ?? 0 }
        expectations.unreachable = { try provider(of: URL(string: "http://127.0.0.1:1/")!) }
        expectations.reachFaultyServers()
        if Campaign.isFull { expectations.largeFile = 5 << 30 }
        adjust(&expectations)
        guard let server = TestServer(name), let parent = try? provider(of: server.url) else {
            return ContractSubject(name, expectations: expectations) { throw URLError(.cannotFindHost) }
        }
        return ContractSubject(name, within: parent, localView: server.folder, expectations: expectations) {
            directory in
            try provider(of: parent.url(of: directory))
        }
    }

    private static func provider(of url: URL) throws -> WebDAVFileProvider {
        var configuration = WebDAVConfiguration(url: url)
        if url.scheme == "https" {
            configuration.http.certificateAuthorities = LocalPath(TestServer.variable("TLS_CERT"))
        }
        return try WebDAVFileProvider(configuration: configuration, credential: nil)
    }
}
