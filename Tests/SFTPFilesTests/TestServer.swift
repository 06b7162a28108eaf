import FileProviding
import Foundation
import SFTPFiles

/// A real SSH server that `Scripts/test-servers` started, by its name in the environment.
struct TestServer: Sendable {
    let name: String
    /// Where the served folder is reached.
    let url: URL
    /// The same folder on this machine's disk.
    let folder: LocalPath
    /// The keys of the host and of its clients.
    let keys: LocalPath

    /// The server, or `nil` where none was started. With `FP_TEST_SERVERS_REQUIRED` its tests run all the same, and fail.
    init?(_ name: String) {
        let environment = ProcessInfo.processInfo.environment
        self.name = name
        if let text = environment["FP_TEST_\(name)_URL"], let url = URL(string: text),
            let folder = environment["FP_TEST_\(name)_ROOT"], let keys = environment["FP_TEST_\(name)_KEYS"]
        {
            self.url = url
            self.folder = LocalPath(folder)
            self.keys = LocalPath(keys)
        } else if environment["FP_TEST_SERVERS_REQUIRED"] == "1" {
            url = URL(string: "sftp://127.0.0.1:1/missing-server-\(name)/")!
            folder = LocalPath("/nonexistent")
            keys = LocalPath("/nonexistent")
        } else {
            return nil
        }
    }

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
