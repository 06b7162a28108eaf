import FileProviderTesting
import FileProviding
import Foundation
import HTTPFiles
import LocalFiles
import ShelfServer
import Testing

@testable import ShelfProvider

/// Serves an empty folder of this machine while a suite runs.
struct ServedFolder: SuiteTrait, TestScoping {
    /// The provider under test; each case has a directory of its own in the served folder.
    @TaskLocal static var subject: ContractSubject?

    func provideScope(
        for test: Test, testCase: Test.Case?, performing suite: @Sendable () async throws -> Void
    ) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "shelf-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(at: folder) }
        let server = try await ShelfServer(serving: LocalFileProvider(baseURL: folder), pageSize: 10)
        try await Self.$subject.withValue(Self.subject(server.url, folder)) { try await suite() }
        await server.stop()
    }

    private static func subject(_ url: URL, _ folder: URL) -> ContractSubject {
        ContractSubject("Shelf", expectations: expectations) {
            let shelf = ShelfProvider(configuration: url, credential: nil)
            let name = "case-\(UInt64.random(in: 0 ... .max))"
            let directory = try ItemPath(validating: name)
            try await shelf.createDirectory(path: directory)
            return ContractSandbox(directory: directory, localView: LocalPath(folder)?.appending(name.utf8)) {
                ShelfProvider(configuration: url, credential: nil)
            } close: {
                try await shelf.removeItem(path: directory)
            }
        }
    }

    private static let expectations: ContractExpectations = {
        var expectations = ContractExpectations()
        expectations.has.formUnion([.configuration, .remote, .partialWrites])
        expectations.settableTimePrecision = 1_000_000_000
        expectations.versionsDistinguishEveryWrite = false
        expectations.reportsVolume = false
        expectations.pageSize = 10
        expectations.largeDirectory = 1_000
        expectations.largeFile = 5 << 30
        expectations.requestCount = { ($0 as? ShelfProvider)?.session.requestCount ?? 0 }
        expectations.faulty = { original, faults in
            let url = try #require((original as? ShelfProvider)?.configuration)
            let proxy = try FaultProxy(to: #require(url.port), faults: faults)
            var configuration = HTTPSessionConfiguration()
            configuration.deadlines.idle = 3
            configuration.retry = RetryPolicy(maximumRetries: 1, firstPause: 0.01)
            let session = HTTPSession(origin: proxy.url(url), configuration: configuration)
            return (ShelfProvider(configuration: proxy.url(url), session: session), proxy)
        }
        expectations.unreachable = {
            ShelfProvider(configuration: URL(string: "http://127.0.0.1:9/")!, credential: nil)
        }
        return expectations
    }()
}
