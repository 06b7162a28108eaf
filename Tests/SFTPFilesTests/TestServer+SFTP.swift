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
        return configuration
    }

    /// A provider of the served folder.
    func provider(_ transport: SSHConfiguration.Transport = .automatic) throws -> SFTPFileProvider {
        try SFTPFileProvider(configuration: configuration(transport), credential: nil)
    }
}
