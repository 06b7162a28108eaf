import FileProviderTesting
import FileProviders
import Foundation
import GalleryServer
import Testing

/// The contract over the gallery API, as far as it is about reading; that everything else is refused is asserted too.
@Suite("Contract: Gallery")
struct GalleryContractTests {
    @Test("raw paths", arguments: ContractCase.all)
    func raw(_ contractCase: ContractCase) async throws { try await contractCase.run(on: Self.raw) }

    @Test("encoded paths, in pages", arguments: ContractCase.all)
    func encoded(_ contractCase: ContractCase) async throws { try await contractCase.run(on: Self.encoded) }

    @Test("a server that ignores ranges", arguments: ContractCase.all)
    func whole(_ contractCase: ContractCase) async throws { try await contractCase.run(on: Self.whole) }

    private static let raw = subject("Gallery, raw paths") { _ in }

    private static let encoded = subject("Gallery, encoded paths in pages", pageSize: 5) { options in
        options.encodesPaths = true
        options.pageSize = 5
        options.refusesEmptyCategories = true
    }

    private static let whole = subject("Gallery without ranges") { $0.sendsRanges = false }

    /// A server of its own for each case, over a folder that a local provider fills.
    private static func subject(
        _ name: String, pageSize: Int? = nil, _ adjust: @escaping @Sendable (inout GalleryServer.Options) -> Void
    ) -> ContractSubject {
        var expectations = ContractExpectations()
        expectations.has = [.reading, .configuration, .remote]
        expectations.refuses = [.writing, .creating, .copying, .moving, .removing]
        expectations.keepsEmptyDirectories = false
        expectations.listsDetails = false
        expectations.reportsVolume = false
        expectations.settableTimePrecision = nil
        expectations.versionsDistinguishEveryWrite = false
        expectations.pageSize = pageSize
        expectations.largeDirectory = pageSize == nil ? 1_000 : 100
        expectations.parallelCases = 2
        expectations.requestCount = { ($0 as? GalleryFileProvider)?.session.requestCount ?? 0 }
        expectations.unreachable = { try provider(URL(string: "http://127.0.0.1:1/")!) }
        expectations.faulty = { original, faults in
            let original = try #require(original as? GalleryFileProvider)
            let proxy = try FaultProxy(to: #require(original.configuration.url.port), faults: faults)
            var configuration = original.configuration
            configuration.url = proxy.url(configuration.url)
            configuration.http.loseNoTime()
            return (try GalleryFileProvider(configuration: configuration, credential: nil), proxy)
        }
        return ContractSubject(name, expectations: expectations) {
            let folder = FileManager.default.temporaryDirectory.appending(path: "contract-gallery-\(UUID())")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
            let root = LocalPath(folder.path(percentEncoded: false))
            var options = GalleryServer.Options()
            options.lists = { _ in true }
            adjust(&options)
            let server = try GalleryServer(serving: root, options: options)
            return ContractSandbox(localView: root, arranger: try LocalFileProvider(root: root)) {
                try provider(server.url)
            } close: {
                server.stop()
                try FileManager.default.removeItem(at: folder)
            }
        }
    }

    private static func provider(_ url: URL) throws -> GalleryFileProvider {
        try GalleryFileProvider(configuration: GalleryConfiguration(url: url), credential: nil)
    }
}
