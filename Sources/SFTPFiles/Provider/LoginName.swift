import FileProviding
import Foundation

/// The user that a provider logs in as, shared by the provider's copies.
///
/// If the configuration names no user, libssh2 logs in as the local user, and the OpenSSH client as the user that its
/// own configuration names for the host. The client is asked once.
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

    /// The user; `nil` if it depends on whether libssh2 or the OpenSSH client connects, or cannot be determined now.
    /// The first call waits some seconds for `ssh -G`, whose configuration may run other programs.
    var value: String? {
        state.withLock { state in
            if case .known(let name) = state { return name }
            guard let found = find() else { return nil }
            state = .known(found)
            return found
        }
    }

    /// Returns the user; `.some(nil)` if there are two candidates; `nil` if `ssh -G` gave no answer.
    private func find() -> String?? {
        let mine = NSUserName()
        let openssh = OpenSSHTransport(configuration: configuration, password: nil, mayAsk: false)
        guard configuration.ssh.transport != .libssh2, openssh.isInstalled else { return mine }
        guard let user = openssh.settings["user"] else { return nil }
        return .some(user == mine || configuration.ssh.transport == .openssh ? user : nil)
    }
}
