import FileProviding
import Foundation
import SFTPFiles
import TestSupport
import Testing

/// What stays is told.
@Suite(.enabled(if: TestServer("SSHD") != nil)) struct RemovalTests {
    @Test(
        "what the server may not even look at is not taken for removed",
        arguments: [.libssh2, .openssh] as [SSHConfiguration.Transport])
    func closedDirectory(transport: SSHConfiguration.Transport) async throws {
        let server = try #require(TestServer("SSHD"))
        let name = "closed-\(UUID())"
        let folder = URL(filePath: server.folder.description).appending(path: name)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        try Data("text".utf8).write(to: folder.appending(path: "file"))
        // As root the server runs as somebody else, who has no business in it.
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: folder.path)
        defer {
            try? FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: folder.path)
            try? FileManager.default.removeItem(at: folder)
        }
        let provider = try server.provider(transport)
        let error = await #expect(throws: CocoaError.self) {
            try await provider.removeItem(path: ItemPath(validating: "\(name)/file"))
        }
        #expect(error?.code == .fileWriteNoPermission)
    }
}
