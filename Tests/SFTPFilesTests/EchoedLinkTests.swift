import FileProviderTesting
import FileProviding
import Foundation
import SFTPFiles
import TestSupport
import Testing

/// A server that answers READLINK for everything that it is asked about: nothing is a link there.
@Suite(.enabled(if: TestServer("SSHECHOING") != nil, "needs Scripts/test-servers"))
struct EchoedLinkTests {
    private let provider: SFTPFileProvider
    /// A folder of this test on the server.
    private let folder: ItemPath

    init() throws {
        let server = try #require(TestServer("SSHECHOING"))
        provider = try SFTPFileProvider(
            configuration: server.configuration(.libssh2), credential: TestServer.credential)
        folder = try ItemPath(validating: "/echo-\(UUID().uuidString)")
    }

    @Test("files and folders are what they are, and what is missing is missing") func types() async throws {
        let (file, below) = (try folder.appending("file"), try folder.appending("sub").appending("x"))
        for path in [file, below] {
            if let parent = path.parent { try await provider.createDirectory(path: parent, createsParents: true) }
            try await provider.writeContents(path: path, contents: Data("text".utf8))
        }
        #expect(try await provider.attributesOfItem(path: file).type == .regular)
        #expect(try await provider.contents(path: below) == Data("text".utf8))
        let types = try await provider.contentsOfDirectory(path: folder).map { "\($0.name) \($0.type)" }
        #expect(Set(types) == ["file regular", "sub directory"])
        #expect(try await !provider.itemExists(path: folder.appending("missing")))
        try await provider.moveItem(path: file, to: folder.appending("sub").appending("file"))
        #expect(try await provider.contents(path: folder.appending("sub").appending("file")) == Data("text".utf8))
        try await provider.removeItem(path: folder)
        #expect(try await !provider.itemExists(path: folder))
    }
}
