import FileProviding
import Foundation
import Glibc

/// libssh2, and where it reaches its limits the OpenSSH client, if it is installed.
struct FallbackTransport: SSHTransport {
    let first: LibSSH2Transport
    let second: OpenSSHTransport?

    func connect(_ waker: Waker) throws -> any SSHChannel {
        do {
            return try first.connect(waker)
        } catch let limit as LibSSH2Limit {
            if let second, second.isInstalled { return try second.connect(waker) }
            let remedy = second == nil ? "choose the OpenSSH client" : "install the OpenSSH client"
            let (url, reason) = (first.configuration.url, "\(limit.reason); \(remedy)")
            if limit.error.code == .serverCertificateUntrusted { throw URLError.untrustedHost(url, reason) }
            let error = urlError(url, code: limit.error.code, reason: reason, underlying: limit.error)
            throw limit.error.sshMethods.map { error.carrying(sshMethods: $0) } ?? error
        }
    }
}

extension OpenSSHTransport {
    /// Whether the program is there.
    var isInstalled: Bool { configuration.ssh.program.withCString { access($0, X_OK) } == 0 }
}
