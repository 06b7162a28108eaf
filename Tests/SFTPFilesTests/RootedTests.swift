import FileProviding
import Foundation
import SFTPFiles
import TestSupport
import Testing

/// A link that leads out of a provider's root is no root of another one.
@Suite(.enabled(if: TestServer("SSHD") != nil && TestServer("SSHLEXICAL") != nil)) struct RootedTests {
    @Test(
        "neither a directory behind a link that leads out of the root, nor what is below it",
        arguments: ["SSHD", "SSHLEXICAL"])
    func leadsOut(name: String) async throws {
        let server = try #require(TestServer(name))
        let folder = URL(filePath: server.folder.description).appending(path: "rooted-\(UUID())")
        for path in ["inside/deep", "inside/other", "outside"] {
            let directory = folder.appending(path: path)
            try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
            try Data("text".utf8).write(to: directory.appending(path: "file"))
        }
        let links = [
            "deep/up": "../deep", "deep/aside": "../other", "near": "deep/up", "away": "../outside", "far": "/etc",
            "detour": "deep/up/../../outside", "circle": "circle",
        ]
        for (link, target) in links {
            try FileManager.default.createSymbolicLink(
                atPath: folder.appending(path: "inside/\(link)").path, withDestinationPath: target)
        }
        defer { try? FileManager.default.removeItem(at: folder) }
        let parent = try provider(server)
        let inside = parent.rooted(at: try ItemPath(validating: "\(folder.lastPathComponent)/inside"))
        for path in ["deep", "deep/up", "deep/aside", "near"] as [ItemPath] {
            for (provider, path) in [(inside, path.appending("file" as ItemPath)), (inside.rooted(at: path), "file")] {
                #expect(try await provider.contents(path: path) == Data("text".utf8))
            }
        }
        for path in ["away", "far", "detour", "circle"] as [ItemPath] {
            for provider in [inside.rooted(at: path), inside.rooted(at: path.appending("deep" as ItemPath))] {
                await #expect(throws: CocoaError.self) { try await provider.contentsOfDirectory(path: .root) }
            }
            await #expect(throws: CocoaError.self) { try await inside.contentsOfDirectory(path: path) }
        }
        await #expect(throws: CocoaError.self) {
            try await inside.rooted(at: "deep").rooted(at: "aside").contents(path: "file")
        }
    }

    private func provider(_ server: TestServer) throws -> SFTPFileProvider {
        let credential = server.name == "SSHLEXICAL" ? TestServer.credential : nil
        return try SFTPFileProvider(configuration: server.configuration(.libssh2), credential: credential)
    }
}
