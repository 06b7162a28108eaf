import FileProviderTesting
import FileProviders
import Foundation
import TestSupport
import Testing

/// A real server that `Scripts/test-servers` started, with a folder of its own for one test.
final class Place: Sendable {
    /// The names of those that were started.
    static let names = ["APACHE", "SABRE", "NGINX", "WSGIDAV", "RCLONE"].filter { TestServer($0) != nil }

    let name: String
    let provider: WebDAVFileProvider
    /// The folder as the provider knows it.
    let folder: ItemPath
    /// The same folder on this machine's disk.
    let root: URL
    private let proxy: FaultProxy?

    /// - Parameters:
    ///   - isSmall: whether on the file system of a few megabytes.
    ///   - retry: which requests the provider repeats by itself.
    ///   - credential: what the provider answers with when it is asked.
    ///   - makeProxy: gives a proxy to the server's port; requests go through it.
    init(
        _ name: String, isSmall: Bool = false, retry: RetryPolicy = .never, credential: Credential? = nil,
        deadlines: HTTPDeadlines = HTTPDeadlines(),
        through makeProxy: ((Int) throws -> FaultProxy)? = nil
    ) async throws {
        self.name = name
        let kind = isSmall ? "\(name)_SMALL" : name
        let server = try #require(TestServer(kind), "no server \(kind)")
        let url = server.url
        let top = try ItemPath(percentEncoded: url.path(percentEncoded: true))
        let port = try #require(url.port)
        func open(_ url: URL, _ retry: RetryPolicy) throws -> WebDAVFileProvider {
            var configuration = WebDAVConfiguration(url: URL(string: "/", relativeTo: url)!.absoluteURL)
            configuration.http.retry = retry
            configuration.http.deadlines = deadlines
            return try WebDAVFileProvider(configuration: configuration, credential: credential)
        }
        proxy = try makeProxy?(port)
        provider = try open(proxy?.url(url) ?? url, retry)
        let own = "transfer-\(UUID().uuidString)"
        folder = try top.appending(own)
        root = URL(fileURLWithPath: server.folder.description).appendingPathComponent(own)
        try await open(url, RetryPolicy()).createDirectory(path: folder)
    }

    deinit { try? FileManager.default.removeItem(at: root) }

    /// The lines that Apache has logged about this folder.
    func requests() throws -> [String] {
        try TestServer.requests(of: name, about: root.lastPathComponent)
    }

    /// The same once they are whole: a line is written just behind its reply, and each worker of the server writes its
    /// own.
    func requests(until isWhole: ([String]) -> Bool) async throws -> [String] {
        for _ in 0..<100 where try !isWhole(requests()) {
            _ = try? await provider.attributesOfItem(path: folder.parent ?? .root)
        }
        return try requests()
    }

    /// Temporary files that were left.
    func strays() throws -> [String] { try temporaryFiles(below: root) }
}

/// A folder on this machine, removed with the last reference.
final class Desk: Sendable {
    let folder: URL
    let provider: LocalFileProvider

    init() throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("FileTransferTests-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        provider = try LocalFileProvider(
            configuration: LocalFileProvider.Configuration(root: LocalPath(folder.path)), credential: nil)
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    /// Where journals of this desk's transfers go.
    var environment: TransferEnvironment {
        TransferEnvironment(journals: TransferJournals(folder: LocalPath(folder.path).appending("journals")))
    }

    /// Writes bytes that are different everywhere.
    @discardableResult
    func fill(_ name: String, _ count: Int, seed: UInt64 = 1) throws -> Data {
        var state = seed
        var data = Data(capacity: count + 8)
        while data.count < count {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            withUnsafeBytes(of: state.byteSwapped) { data.append(contentsOf: $0) }
        }
        data.removeSubrange(count...)
        let file = folder.appendingPathComponent(name)
        try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try data.write(to: file)
        return data
    }

    func read(_ name: String) throws -> Data { try Data(contentsOf: folder.appendingPathComponent(name)) }

    /// Temporary files that were left.
    func strays() throws -> [String] { try temporaryFiles(below: folder) }

    func journals() throws -> [TransferJournals.Unfinished] { try environment.journals!.unfinished() }
}

private func temporaryFiles(below folder: URL) throws -> [String] {
    try FileManager.default.subpathsOfDirectory(atPath: folder.path).filter {
        $0.contains("fp-") && $0.hasSuffix(".tmp")
    }
}

/// Options for trees whose broken files are tried again at once.
func impatient(_ adjust: (inout TransferOptions) -> Void = { _ in }) -> TransferOptions {
    var options = TransferOptions()
    options.recursive = true
    options.retries.firstPause = .milliseconds(1)
    options.retries.longestPause = .milliseconds(5)
    options.retries.outage = .milliseconds(100)
    adjust(&options)
    return options
}
