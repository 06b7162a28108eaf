import FileProviding
import Foundation
import SFTPFiles
import TestSupport
import Testing

/// Erlang's server, on which all files that are open over a connection have one handle: what is read from one of two,
/// or written to it, may be the other's.
@Suite(.enabled(if: TestServer("SSHERLANG") != nil, "needs Scripts/test-servers"))
struct SharedHandleTests {
    private let provider: SFTPFileProvider
    /// A folder of this test on the server.
    private let folder: ItemPath

    init() async throws {
        let server = try #require(TestServer("SSHERLANG"))
        provider = try SFTPFileProvider(
            configuration: server.configuration(.libssh2), credential: TestServer.credential)
        folder = try ItemPath(validating: "/erlang-\(UUID().uuidString)")
        try await provider.createDirectory(path: folder)
    }

    @Test("one after another, files are written, listed, read, moved and removed")
    func single() async throws {
        let (old, new) = (try folder.appending("old"), try folder.appending("new"))
        let data = Data((0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* 31) })
        try await provider.writeContents(path: old, contents: data)
        #expect(try await provider.contentsOfDirectory(path: folder).map(\.name) == ["old"])
        #expect(try await provider.contents(path: old) == data)
        try await provider.moveItem(path: old, to: new)
        #expect(try await provider.contents(path: new) == data)
        try await provider.removeItem(path: folder)
        #expect(try await !provider.itemExists(path: folder))
    }

    @Test("files that are open at the same time end the connection, and none is taken for another")
    func shared() async throws {
        let paths = try (0..<16).map { try folder.appending("\($0)") }
        let data = paths.indices.map { Data(repeating: UInt8($0), count: 1 << 20) }
        for (path, data) in zip(paths, data) { try await provider.writeContents(path: path, contents: data) }
        let provider = provider
        let results = await withTaskGroup(of: (Int, Result<Data, any Error>).self) { group in
            for (index, path) in paths.enumerated() {
                group.addTask {
                    do { return (index, .success(try await provider.contents(path: path))) } catch {
                        return (index, .failure(error))
                    }
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        var refusals: [String] = []
        for (index, result) in results {
            switch result {
            case .success(let read): #expect(read == data[index])
            case .failure(let error): refusals.append(error.localizedDescription)
            }
        }
        #expect(refusals.contains { $0.contains("one handle") }, "\(refusals)")
        #expect(try await provider.contents(path: paths[7]) == data[7])
        try await provider.removeItem(path: folder)
    }
}
