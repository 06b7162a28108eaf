import FileProviderTesting
import FileProviding
import Foundation
import TestSupport
import Testing
import WebDAVFiles

/// What comes to a place that was found free, while the request that fills it is on its way.
@Suite(.enabled(if: TestServer("SABRE") != nil, "needs Scripts/test-servers")) struct LateArrivalTests {
    private let server: TestServer

    init() throws { server = try #require(TestServer("SABRE")) }

    /// sabre/dav would replace a whole folder by a file.
    @Test(arguments: ["MOVE", "COPY"])
    func aFolderThatCameMeanwhileStays(method: String) async throws {
        let (failure, directory, provider) = try await meanwhile(method) { provider, place in
            try await provider.createDirectory(path: place)
            try await provider.writeContents(path: place.appending("kept"), contents: Data("kept".utf8))
        }
        #expect(failure?.isFileExists == true)
        #expect(try await provider.contents(path: directory.appending("b").appending("kept")) == Data("kept".utf8))
        #expect(try await provider.contents(path: directory.appending("a")) == Data("new".utf8))
        try await provider.removeItem(path: directory)
    }

    @Test(arguments: ["MOVE", "COPY"])
    func aFileThatCameMeanwhileIsReplaced(method: String) async throws {
        let (failure, directory, provider) = try await meanwhile(method) { provider, place in
            try await provider.writeContents(path: place, contents: Data("between".utf8))
        }
        #expect(failure == nil)
        #expect(try await provider.contents(path: directory.appending("b")) == Data("new".utf8))
        try await provider.removeItem(path: directory)
    }

    /// Moves or copies `a` to `b`, which may be replaced, and lets something come to `b` before the request arrives.
    private func meanwhile(
        _ method: String, _ arrive: (WebDAVFileProvider, ItemPath) async throws -> Void
    ) async throws -> ((any Error)?, ItemPath, WebDAVFileProvider) {
        let gate = FaultProxy.Gate()
        let proxy = try FaultProxy(to: #require(server.url.port)) { _ in
            FaultProxy.Faults(toServer: [.hold(method + " ", until: gate)])
        }
        defer { proxy.stop() }
        let (provider, late) = (try provider(at: server.url), try provider(at: proxy.url(server.url)))
        let directory = try ItemPath(validating: "/late-\(UUID())")
        let (source, target) = try (directory.appending("a"), directory.appending("b"))
        try await provider.createDirectory(path: directory)
        try await provider.writeContents(path: source, contents: Data("new".utf8))
        let work = Task {
            let operation: FileOperationType =
                method == "MOVE"
                ? .move(source: source, destination: target) : .copy(source: source, destination: target)
            try await late.perform(operation, in: OperationContext(options: OperationOptions(overwrite: true)))
        }
        await gate.whenReached()
        try await arrive(provider, target)
        gate.open()
        do {
            try await work.value
            return (nil, directory, provider)
        } catch {
            return (error, directory, provider)
        }
    }

    private func provider(at url: URL) throws -> WebDAVFileProvider {
        try WebDAVFileProvider(configuration: WebDAVConfiguration(url: url), credential: nil)
    }
}
