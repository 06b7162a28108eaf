import FileProviderTesting
import FileProviding
import Foundation
import SFTPFiles
import TestSupport
import Testing

/// The contract over SFTP, once for each server and transport; what a server cannot do is declared here, and then held
/// against it.
@Suite struct SFTPContractTests {
    @Test("sshd via the OpenSSH client", .enabled(if: TestServer("SSHD") != nil), arguments: ContractCase.all)
    func openssh(_ test: ContractCase) async throws { try await test.run(on: Self.openssh) }

    @Test("sshd via libssh2", .enabled(if: TestServer("SSHD") != nil), arguments: ContractCase.all)
    func libssh2(_ test: ContractCase) async throws { try await test.run(on: Self.libssh2) }

    @Test("sshd without extensions", .enabled(if: TestServer("SSHRSA") != nil), arguments: ContractCase.all)
    func bare(_ test: ContractCase) async throws { try await test.run(on: Self.bare) }

    @Test("rclone serve sftp", .enabled(if: TestServer("RCLONESFTP") != nil), arguments: ContractCase.all)
    func rclone(_ test: ContractCase) async throws { try await test.run(on: Self.rclone) }

    @Test("Green End's server", .enabled(if: TestServer("SSHGREEN") != nil), arguments: ContractCase.all)
    func green(_ test: ContractCase) async throws { try await test.run(on: Self.green) }

    @Test(
        "READLINK that answers for everything", .enabled(if: TestServer("SSHECHOING") != nil),
        arguments: ContractCase.all)
    func echoing(_ test: ContractCase) async throws { try await test.run(on: Self.echoing) }

    private static let openssh = subject("sshd via the OpenSSH client", "SSHD", .openssh)

    private static let libssh2 = subject("sshd via libssh2", "SSHD", .libssh2)

    /// Plain version 3, reached over the OpenSSH client because of its RSA key: the old file steps aside for a new one.
    private static let bare = subject("sshd without extensions", "SSHRSA", .automatic) {
        $0.has.remove(.partialWrites)
        $0.refuses = [.partialWrites]
        $0.refusesName = { name in name.bytes.count > 255 || name.bytes.contains { $0 < 0x20 || $0 == 0x7F } }
        $0.keepsPermissions = false
        $0.decidesRaces = false
        $0.budget.attributes = 2
        $0.budget.write = 14
        $0.budget.copy = 22
        $0.reportsVolume = false
        $0.budget.move = 10
    }

    /// A link that goes round crashes it, and so breaks the connection of whoever is doing something else.
    private static let green = subject("Green End's server", "SSHGREEN", .libssh2) {
        $0.budget.attributes = 2
        $0.budget.write = 9
        $0.budget.copy = 21
        $0.movesInOneStep = false
        $0.parallelCases = 1
    }

    private static let echoing = subject(
        "READLINK that answers for everything", "SSHECHOING", .libssh2, withoutLinksOrParts)

    private static let rclone = subject("rclone serve sftp", "RCLONESFTP", .libssh2, withoutLinksOrParts)

    private static func withoutLinksOrParts(_ expectations: inout ContractExpectations) {
        expectations.budget.attributes = 2
        expectations.budget.write = 10
        expectations.budget.copy = 21
        expectations.reportsVolume = false
        expectations.has.subtract([.symbolicLinks, .partialWrites])
        expectations.refuses = [.symbolicLinks, .partialWrites]
        expectations.refusesName = { name in
            name.bytes.count > 255 || name.bytes.contains { $0 < 0x20 || $0 == 0x7F }
        }
        expectations.keepsPermissions = false
        expectations.decidesRaces = false
        expectations.largeDirectory = 200
    }

    private static func subject(
        _ name: String, _ server: String, _ transport: SSHConfiguration.Transport,
        _ adjust: (inout ContractExpectations) -> Void = { _ in }
    ) -> ContractSubject {
        var expectations = ContractExpectations()
        expectations.has.formUnion([
            .symbolicLinks, .partialWrites, .undoing, .settingAttributes, .configuration, .remote,
        ])
        expectations.refusesName = { $0.bytes.count > 255 }
        expectations.settableTimePrecision = 1_000_000_000
        expectations.earliestSettableTime = FileTime(seconds: 0)
        expectations.keepsPermissions = true
        expectations.versionsDistinguishEveryWrite = false
        expectations.largeDirectory = 2_000
        expectations.parallelCases = 4
        expectations.budget = budget
        expectations.requestCount = { ($0 as? SFTPFileProvider)?.session.requestCount ?? 0 }
        expectations.unreachable = {
            try SFTPFileProvider(configuration: SFTPConfiguration(host: "127.0.0.1", port: 1), credential: nil)
        }
        expectations.faulty = { original, faults in
            let (original, server) = try (#require(original as? SFTPFileProvider), #require(TestServer(server)))
            let proxy = try FaultProxy(to: server.port, faults: faults)
            var configuration = original.configuration
            (configuration.ssh, configuration.port) = try {
                let reached = try server.configuration(through: proxy.port, transport).configuration
                return (reached.ssh, reached.port)
            }()
            // Long enough for a server on a busy machine.
            configuration.ssh.connectTimeout = 10
            configuration.ssh.answerTimeout = 5
            return (try SFTPFileProvider(configuration: configuration, credential: original.credential), proxy)
        }
        if Campaign.isFull { expectations.largeFile = 5 << 30 }
        adjust(&expectations)
        guard let server = TestServer(server), let parent = try? server.provider(transport) else {
            return ContractSubject(name, expectations: expectations) { throw URLError(.cannotFindHost) }
        }
        return ContractSubject(name, within: parent, localView: server.folder, expectations: expectations) {
            parent.rooted(at: $0)
        }
    }

    /// Requests, not round trips: most of these travel together. Keeping links within the root takes one more for each
    /// path.
    private static let budget: RequestBudget = {
        var budget = RequestBudget()
        budget.listingPage = 5
        budget.read = 8
        budget.write = 8
        budget.create = 3
        budget.copy = 14
        budget.move = 8
        budget.remove = 2
        return budget
    }()
}
