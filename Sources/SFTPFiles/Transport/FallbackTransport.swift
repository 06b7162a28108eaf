import FileProviding
import Foundation
import Glibc

/// libssh2, and the OpenSSH client, if it is installed, for what libssh2 does not support.
struct FallbackTransport: SSHTransport {
    let first: LibSSH2Transport
    let second: OpenSSHTransport?
    /// Set when the second transport connects.
    let hasFallenBack: Locked<Bool>

    func connect(_ waker: Waker) throws -> any SSHChannel {
        do {
            return try first.connect(waker)
        } catch let limit as LibSSH2Limit {
            if let second, second.isInstalled {
                hasFallenBack.withLock { $0 = true }
                return try second.connect(waker)
            }
            let remedy = second == nil ? "choose the OpenSSH client" : "install the OpenSSH client"
            let (url, reason) = (first.configuration.url, "\(limit.reason); \(remedy)")
            if limit.error.code == .serverCertificateUntrusted { throw URLError.untrustedHost(url, reason) }
            let error = urlError(url, code: limit.error.code, reason: reason, underlying: limit.error)
            throw limit.error.sshMethods.map { error.carrying(sshMethods: $0) } ?? error
        }
    }
}

/// The OpenSSH client in addition to libssh2: it uses the user's configuration only if the first connection does too;
/// otherwise it could reach another server under the same name.
struct SameWayTransport: SSHTransport {
    let direct: OpenSSHTransport
    let configured: OpenSSHTransport
    let hasFallenBack: Locked<Bool>

    func connect(_ waker: Waker) throws -> any SSHChannel {
        try (hasFallenBack.withLock { $0 } ? configured : direct).connect(waker)
    }
}

extension OpenSSHTransport {
    /// Whether the program is installed.
    var isInstalled: Bool { configuration.ssh.program.withCString { access($0, X_OK) } == 0 }
}
