import Foundation
import TestSupport

/// A folder on a test server as `fp` reaches it: by WebDAV, or by SSH with one of the two transports.
struct RemotePlace: Sendable, CustomStringConvertible {
    let server: TestServer
    /// How to speak SSH; `nil` for WebDAV.
    let transport: String?

    /// Apache and sabre/dav, and sshd by libssh2 and by the OpenSSH client, as far as they were started.
    static let all = webDAV + ssh

    static let webDAV = ["APACHE", "SABRE"].compactMap { TestServer($0) }.map {
        RemotePlace(server: $0, transport: nil)
    }

    static let ssh = ["libssh2", "openssh"].compactMap { transport in
        TestServer("SSHD").map { RemotePlace(server: $0, transport: transport) }
    }

    var description: String { [server.name, transport].compactMap { $0 }.joined(separator: " by ") }

    /// The port on 127.0.0.1.
    var port: Int { server.url.port ?? 0 }

    /// The location, ending in a slash, as it is behind a proxy's port.
    func location(through proxy: Int? = nil) -> String {
        guard let proxy else { return server.location }
        return server.location.replacing(":\(port)/", with: ":\(proxy)/")
    }

    /// What `fp` needs to be let in: the key, and the host's key under the port that is used.
    func arguments(in work: Workspace, through proxy: Int? = nil) throws -> [String] {
        guard let transport else { return [] }
        let keys = URL(filePath: TestServer.variable("\(server.name)_KEYS"))
        let folder = work.folder.appending(path: ".config")
        let known = try String(contentsOf: keys.appending(path: "known_hosts"), encoding: .utf8)
            .replacing("]:\(port) ", with: "]:\(proxy ?? port) ")
        // The OpenSSH client wants a key that nobody else can read.
        let identity = try Data(contentsOf: keys.appending(path: "id_ed25519"))
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        for (name, data) in [("known_hosts", Data(known.utf8)), ("identity", identity)] {
            let file = folder.appending(path: name)
            try data.write(to: file)
            try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file.path)
        }
        return [
            "--ssh", transport, "--known-hosts", folder.appending(path: "known_hosts").path,
            "--identity", folder.appending(path: "identity").path,
        ]
    }
}
