import FileProviding
import Foundation
import SFTPFiles
import TestSupport

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
        configuration.ssh.knownHosts = [keys.appending("known_hosts".utf8)]
        configuration.ssh.keys = [keys.appending("id_ed25519".utf8)]
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
        let file = keys.appending("known-\(UUID())".utf8)
        try PrivateFile.replace(file, with: Data(known.replacing("]:\(self.port)", with: "]:\(port)").utf8))
        configuration.ssh.knownHosts = [file]
        configuration.port = port
        return (configuration, file)
    }
}
