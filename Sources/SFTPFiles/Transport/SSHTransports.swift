import FileProviding
import Foundation

/// Chooses the SSH implementation for a server.
struct SSHTransports: Sendable {
    private let configuration: SFTPConfiguration
    private let password: String?
    /// Whether libssh2 failed, so that the OpenSSH client connects, with the user's configuration.
    private let hasFallenBack = Locked(false)

    /// - Throws: for an invalid host, user or credential.
    init(_ configuration: SFTPConfiguration, _ credential: Credential?) throws {
        var configuration = configuration
        switch credential {
        case .password(let user, let password)?:
            if !user.isEmpty { configuration.user = user }
            self.password = password
        case .bearer?, .oauth2?:
            throw urlError(configuration.url, code: .unsupportedURL, reason: "SSH knows passwords and keys, no tokens")
        case nil: password = nil
        }
        guard Self.isPlain(configuration.host), configuration.user.map(Self.isPlain) ?? true else {
            throw urlError(configuration.url, code: .badURL, reason: "invalid host or user name")
        }
        self.configuration = configuration
    }

    /// Returns whether a name is safe: names end up in commands that a user's SSH configuration may run.
    private static func isPlain(_ name: String) -> Bool {
        !name.isEmpty && !name.hasPrefix("-")
            && !name.unicodeScalars.contains {
                $0.value < 0x21 || $0.value == 0x7F || "'\"`$\\;&<>|(){}".unicodeScalars.contains($0)
            }
    }

    /// Returns the transport that the configuration selects.
    func transport(_ interaction: (any SSHInteraction)?) -> any SSHTransport {
        let openssh = OpenSSHTransport(
            configuration: configuration, password: password, mayAsk: interaction != nil)
        let libssh2 = LibSSH2Transport(configuration: configuration, password: password, interaction: interaction)
        return switch configuration.ssh.transport {
        case .openssh: openssh
        case .libssh2: FallbackTransport(first: libssh2, second: nil, hasFallenBack: hasFallenBack)
        case .automatic: FallbackTransport(first: libssh2, second: openssh, hasFallenBack: hasFallenBack)
        }
    }

    /// The ways to make additional connections, best first; they never ask the user.
    ///
    /// The OpenSSH client computes in a process of its own, and uses AES-GCM, which is less work for the server.
    var helpers: [any SSHTransport] {
        var direct = OpenSSHTransport(configuration: configuration, password: password, mayAsk: false)
        let configured = direct
        direct.isDirect = true
        guard configuration.ssh.transport == .automatic, direct.isInstalled else { return [transport(nil)] }
        return [
            SameWayTransport(direct: direct, configured: configured, hasFallenBack: hasFallenBack), transport(nil),
        ]
    }
}
