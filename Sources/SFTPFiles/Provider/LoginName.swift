import FileProviding
import Foundation

/// The user that a provider logs in as, shared with the copies of the provider.
///
/// Without a user in the configuration, libssh2 logs in as the local user, and the OpenSSH client as the one that its
/// own configuration names for the host. The program is asked once.
final class LoginName: Sendable {
    private enum State {
        case unknown
        case known(String?)
    }

    private let configuration: SFTPConfiguration
    private let state: Locked<State>

    init(_ configuration: SFTPConfiguration, _ credential: Credential?) {
        self.configuration = configuration
        let user = credential?.user ?? ""
        state = Locked((user.isEmpty ? configuration.user : user).map { .known($0) } ?? .unknown)
    }

    /// The user, or `nil` where that depends on which of the two connects.
    var value: String? {
        if case .known(let name) = state.withLock({ $0 }) { return name }
        let found = find()
        state.withLock { $0 = .known(found) }
        return found
    }

    private func find() -> String? {
        let mine = NSUserName()
        let openssh = OpenSSHTransport(configuration: configuration, password: nil, mayAsk: false)
        guard configuration.ssh.transport != .libssh2, openssh.isInstalled, let user = openssh.settings["user"] else {
            return mine
        }
        return user == mine || configuration.ssh.transport == .openssh ? user : nil
    }
}
