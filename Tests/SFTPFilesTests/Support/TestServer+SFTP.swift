import FileProviding
import Foundation
import TestSupport
import Testing

@testable import SFTPFiles

extension TestServer {
    /// The keys of the host and of its clients.
    var keys: LocalPath { LocalPath(Self.variable("\(name)_KEYS")) }

    var port: Int { url.port ?? 22 }

    /// The served folder, reached with the client's key alone.
    func configuration(_ transport: SSHConfiguration.Transport = .automatic) throws -> SFTPConfiguration {
        var (configuration, path) = try SFTPFileProvider.configuration(for: url)
        configuration.root = path
        configuration.confinesLinks = true
        configuration.ssh.transport = transport
        configuration.ssh.knownHosts = [keys.appending("known_hosts")]
        configuration.ssh.keys = [keys.appending("id_ed25519")]
        configuration.ssh.usesAgent = false
        configuration.ssh.programArguments = ["-F", "none"]
        // Hundreds of cases and their servers may share one processor.
        configuration.ssh.connectTimeout = 120
        return configuration
    }

    /// A provider of the served folder.
    func provider(_ transport: SSHConfiguration.Transport = .automatic) throws -> SFTPFileProvider {
        try SFTPFileProvider(configuration: configuration(transport), credential: nil)
    }

    /// The served folder as it is reached through a proxy, whose port has the host's keys.
    func configuration(
        through port: Int, _ transport: SSHConfiguration.Transport = .libssh2
    ) throws -> (configuration: SFTPConfiguration, knownHosts: LocalPath) {
        var configuration = try configuration(transport)
        let known = String(decoding: try PrivateFile.read(configuration.ssh.knownHosts![0]) ?? Data(), as: UTF8.self)
        // Goes with the server's folder.
        let file = keys.appending("known-\(UUID())")
        try PrivateFile.replace(file, with: Data(known.replacing("]:\(self.port)", with: "]:\(port)").utf8))
        configuration.ssh.knownHosts = [file]
        configuration.port = port
        return (configuration, file)
    }

    /// Runs OpenSSH's agent with these of the server's keys.
    ///
    /// - Parameters:
    ///   - place: the agent's socket; by default one of its own.
    ///   - question: a shell script that the agent runs before each signature, whose status says whether to sign.
    func withAgent(
        holding names: String..., at place: String? = nil, asking question: String? = nil,
        work: (LocalPath) async throws -> Void
    ) async throws {
        let usual = FileManager.default.temporaryDirectory.appending(path: "agent-\(UInt32.random(in: 0 ... .max))")
        let socket = place ?? usual.path(percentEncoded: false)
        let script = "\(socket).ask"
        if let question {
            try Data("#!/bin/sh\n\(question)\n".utf8).write(to: URL(filePath: script))
            try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: script)
        }
        defer { try? FileManager.default.removeItem(atPath: script) }
        let agent = try ChildProcess(
            LocalPath("/usr/bin/ssh-agent"), ["-D", "-a", socket],
            adding: ["SSH_ASKPASS": script, "SSH_ASKPASS_REQUIRE": "force", "DISPLAY": ":0"])
        defer { agent.end() }
        for name in names {
            // The agent is there when its socket is; ssh-add says so by succeeding.
            var isAdded = false
            for _ in 0..<500 where !isAdded {
                let add = try ChildProcess(
                    LocalPath("/usr/bin/ssh-add"),
                    (question == nil ? ["-q"] : ["-q", "-c"]) + [keys.appending(name.utf8).description],
                    adding: ["SSH_AUTH_SOCK": socket])
                isAdded = add.exitStatus() == 0
            }
            try #require(isAdded)
        }
        try await work(LocalPath(socket))
    }
}
