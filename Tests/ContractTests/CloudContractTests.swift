import FileProviderTesting
import FileProviders
import Foundation
import TestSupport
import Testing

/// The contract over the three products' dialects, on servers that speak as they do.
@Suite struct CloudContractTests {
    @Test("ownCloud 10", .enabled(if: TestServer("OWNCLOUD") != nil), arguments: ContractCase.all)
    func ownCloud(_ test: ContractCase) async throws { try await test.run(on: Self.ownCloud) }

    @Test("Nextcloud", .enabled(if: TestServer("NEXTCLOUD") != nil), arguments: ContractCase.all)
    func nextcloud(_ test: ContractCase) async throws { try await test.run(on: Self.nextcloud) }

    @Test("OpenCloud", .enabled(if: TestServer("OPENCLOUD") != nil), arguments: ContractCase.all)
    func openCloud(_ test: ContractCase) async throws { try await test.run(on: Self.openCloud) }

    private static let ownCloud = subject("OWNCLOUD") {
        $0.refuses.formUnion([.monitoring, .spaces])
    }

    private static let nextcloud = subject("NEXTCLOUD") {
        $0.earliestSettableTime = FileTime(seconds: 86_401)
        $0.refuses.formUnion([.monitoring, .spaces])
    }

    private static let openCloud = subject("OPENCLOUD") {
        $0.has.formUnion([.monitoring, .spaces])
        $0.has.remove(.settingAttributes)
        $0.refuses.insert(.settingAttributes)
        $0.decidesRaces = false
        $0.resumesUnknownLengths = false
        $0.takesAttributesAtCommit = false
        // If-None-Match is ignored: PUT beside, and MOVE.
        $0.budget.write = 2
        $0.refusesName = { name in
            String(validating: name.bytes, as: UTF8.self) == nil || name.bytes.count >= 255
                || name.bytes.contains { "\\\n".utf8.contains($0) }
        }
    }

    private static func subject(
        _ name: String, _ adjust: (inout ContractExpectations) -> Void
    ) -> ContractSubject {
        var expectations = ContractExpectations()
        expectations.has.formUnion([
            .configuration, .remote, .partialWrites, .trash, .versions, .publicLinks, .shares, .details, .checksums,
            .changeTokens, .accounts, .favorites, .settingAttributes,
        ])
        expectations.checksums = [.sha1]
        expectations.settableTimePrecision = 1_000_000_000
        expectations.refusesName = { name in
            String(validating: name.bytes, as: UTF8.self) == nil || name.bytes.count >= 255
                || name.bytes.contains { $0 < 0x20 || $0 == UInt8(ascii: "\\") }
        }
        expectations.largeDirectory = 300
        expectations.parallelCases = 4
        expectations.requestCount = { ($0 as? WebDAVFileProvider)?.session.requestCount ?? 0 }
        expectations.unreachable = {
            try provider(of: URL(string: "http://127.0.0.1:1/remote.php/dav/files/tester/")!)
        }
        expectations.reachFaultyServers()
        adjust(&expectations)
        guard let server = TestServer(name), let parent = try? provider(of: server.url) else {
            return ContractSubject(name, expectations: expectations) { throw URLError(.cannotFindHost) }
        }
        return ContractSubject(name, within: parent, expectations: expectations) { directory in
            try provider(of: parent.url(of: directory))
        }
    }

    private static func provider(of url: URL) throws -> WebDAVFileProvider {
        try WebDAVFileProvider(configuration: WebDAVConfiguration(url: url), credential: TestServer.credential)
    }
}
