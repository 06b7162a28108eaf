import FileProviding
import Foundation
import TestSupport
import Testing

@testable import SFTPFiles

/// The OpenSSH client with unusual user configurations and paths.
@Suite(.enabled(if: TestServer("SSHD") != nil), .serialized) struct OpenSSHConfigurationTests {
    private let server: TestServer
    private let folder: URL

    init() throws {
        server = try #require(TestServer("SSHD"))
        folder = FileManager.default.temporaryDirectory.appending(path: "ssh %h \"q\" ${HOME} \\ \(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    @Test(
        "settings that are meant for terminals do not get in the way",
        arguments: ["RemoteCommand tmux attach", "RequestTTY force", "StdinNull yes", "ForkAfterAuthentication yes"])
    func settings(line: String) async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = FileManager.default.temporaryDirectory.appending(path: "ssh-config-\(UUID())").path
        defer { try? FileManager.default.removeItem(atPath: file) }
        try Data("LogLevel QUIET\n\(line)\n".utf8).write(to: URL(filePath: file))
        var configuration = try server.configuration(.openssh)
        configuration.ssh.programArguments = ["-F", file]
        let provider = try SFTPFileProvider(configuration: configuration, credential: nil)
        #expect(try await provider.attributesOfItem(path: .root).isDirectory)
        // The client's messages are still understood.
        configuration.ssh.keys = [server.keys.appending("id_stranger")]
        let stranger = try SFTPFileProvider(configuration: configuration, credential: nil)
        let error = try await #require(throws: URLError.self) { try await stranger.attributesOfItem(path: .root) }
        #expect(error.code == .userAuthenticationRequired && error.sshMethods == ["publickey"])
    }

    @Test("paths are taken as they are")
    func paths() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        var configuration = try server.configuration(.openssh)
        for name in ["id_ed25519", "known_hosts"] {
            try FileManager.default.copyItem(
                atPath: server.keys.appending(name.utf8).description, toPath: folder.appending(path: name).path)
        }
        configuration.ssh.keys = [LocalPath(folder.appending(path: "id_ed25519").path)]
        configuration.ssh.knownHosts = [LocalPath(folder.appending(path: "known_hosts").path)]
        let provider = try SFTPFileProvider(configuration: configuration, credential: nil)
        #expect(try await provider.attributesOfItem(path: .root).isDirectory)
    }

    @Test("an agent's path is taken as it is")
    func agent() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let socket = folder.appending(path: "agent").path
        try await server.withAgent(holding: "id_ed25519", at: socket) { agent in
            var configuration = try server.configuration(.openssh)
            configuration.ssh.keys = nil
            configuration.ssh.usesAgent = true
            configuration.ssh.agent = agent
            configuration.ssh.programArguments += ["-o", "IdentityFile=none"]
            let provider = try SFTPFileProvider(configuration: configuration, credential: nil)
            #expect(try await provider.attributesOfItem(path: .root).isDirectory)
        }
    }
}
