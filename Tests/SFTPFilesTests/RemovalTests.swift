import FileProviding
import Foundation
import SFTPFiles
import TestSupport
import Testing

/// What stays is told.
@Suite(.enabled(if: TestServer("SSHD") != nil)) struct RemovalTests {
    /// A folder on the server with one file in it.
    private func made(_ file: String) throws -> (server: TestServer, name: String, folder: URL) {
        let (server, name) = (try #require(TestServer("SSHD")), "removal-\(UUID())")
        let folder = URL(filePath: server.folder.description).appending(path: name)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        try Data("text".utf8).write(to: folder.appending(path: file))
        return (server, name, folder)
    }

    @Test(
        "what the server may not even look at is not taken for removed",
        arguments: [.libssh2, .openssh] as [SSHConfiguration.Transport])
    func closedDirectory(transport: SSHConfiguration.Transport) async throws {
        let (server, name, folder) = try made("file")
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

    /// POSIX: such a rename does nothing, and succeeds.
    @Test(
        "a name of a file is not moved over another name of it",
        arguments: [.libssh2, .openssh] as [SSHConfiguration.Transport])
    func names(transport: SSHConfiguration.Transport) async throws {
        let (server, name, folder) = try made("one")
        defer { try? FileManager.default.removeItem(at: folder) }
        try FileManager.default.setAttributes([.posixPermissions: 0o777], ofItemAtPath: folder.path)
        try FileManager.default.linkItem(at: folder.appending(path: "one"), to: folder.appending(path: "other"))
        let provider = try server.provider(transport)
        await #expect(throws: CocoaError.self) {
            try await provider.moveItem(
                path: ItemPath(validating: "\(name)/one"), to: ItemPath(validating: "\(name)/other"), overwrite: true)
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() == ["one", "other"])
    }

    /// So that a server that is unreachable right afterwards is not taken for one to which nothing was sent.
    @Test("what may have changed the server is noted as sent", arguments: [true, false])
    func sent(isChange: Bool) async throws {
        let (server, name, folder) = try made("file")
        defer { try? FileManager.default.removeItem(at: folder) }
        // The server may run as somebody else.
        try FileManager.default.setAttributes([.posixPermissions: 0o777], ofItemAtPath: folder.path)
        let (provider, path) = (try server.provider(), try ItemPath(validating: "\(name)/file"))
        let sent = SentChanges()
        try await SentChanges.$current.withValue(sent) {
            _ = try await provider.attributesOfItem(path: path)
            if isChange { try await provider.removeItem(path: path) }
        }
        #expect(sent.isEmpty == !isChange)
    }
}
