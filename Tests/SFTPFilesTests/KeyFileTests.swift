import FileProviding
import Foundation
import TestSupport
import Testing

@testable import SFTPFiles

/// Keys in formats other than OpenSSH's usual one, without a public key file that shows their type.
@Suite(.enabled(if: TestServer("SSHD") != nil), .serialized) struct KeyFileTests {
    private let server: TestServer
    private let folder: URL

    init() throws {
        server = try #require(TestServer("SSHD"))
        folder = FileManager.default.temporaryDirectory.appending(path: "keys-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    @Test("an RSA key without its public half works by the OpenSSH client", arguments: ["PEM", "PKCS8"])
    func rsa(format: String) async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let key = try key("id_rsa", ["-m", format])
        #expect(try await provider(.automatic, key).attributesOfItem(path: .root).isDirectory)
        let error = try await #require(throws: URLError.self) {
            try await provider(.libssh2, key).attributesOfItem(path: .root)
        }
        #expect(error.localizedDescription.contains("only the OpenSSH client"), "\(error.localizedDescription)")
    }

    @Test(
        "nobody is asked for the passphrase of a key that libssh2 cannot decrypt",
        arguments: ["aes256-gcm@openssh.com", "chacha20-poly1305@openssh.com"])
    func cipher(name: String) async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let provider = try provider(.libssh2, try key("id_ed25519", ["-Z", name], passphrase: "secret"))
        let person = Person(answers: ["secret"])
        provider.session.interaction = person
        let error = try await #require(throws: URLError.self) { try await provider.attributesOfItem(path: .root) }
        #expect(error.localizedDescription.contains("only the OpenSSH client"), "\(error.localizedDescription)")
        #expect(person.questions.isEmpty)
    }

    @Test("a key that libssh2 can decrypt is still its own", arguments: ["aes256-ctr", "aes128-cbc"])
    func usualCipher(name: String) async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let provider = try provider(.libssh2, try key("id_ed25519", ["-Z", name], passphrase: "secret"))
        provider.session.interaction = Person(answers: ["secret"])
        #expect(try await provider.attributesOfItem(path: .root).isDirectory)
    }

    /// Copies a private key and rewrites it with `ssh-keygen`.
    private func key(_ name: String, _ options: [String], passphrase: String = "") throws -> LocalPath {
        let file = folder.appending(path: name)
        try FileManager.default.copyItem(atPath: server.keys.appending(name.utf8).description, toPath: file.path)
        let keygen = try ChildProcess(
            LocalPath("/usr/bin/ssh-keygen"), ["-q", "-p", "-P", "", "-N", passphrase, "-f", file.path] + options)
        try #require(keygen.exitStatus() == 0, "\(keygen.said())")
        return LocalPath(file.path)
    }

    private func provider(_ transport: SSHConfiguration.Transport, _ key: LocalPath) throws -> SFTPFileProvider {
        var configuration = try server.configuration(transport)
        configuration.ssh.keys = [key]
        return try SFTPFileProvider(configuration: configuration, credential: nil)
    }
}
