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

    /// The user, or `nil` where that depends on which of the two connects, or cannot be told now. Whoever asks first
    /// waits for the program, whose configuration may run others; it gets a few seconds.
    var value: String? {
        state.withLock { state in
            if case .known(let name) = state { return name }
            guard let found = find() else { return nil }
            state = .known(found)
            return found
        }
    }

    /// The user, `.some(nil)` where there may be two, or `nil` when the program did not tell.
    private func find() -> String?? {
        let mine = NSUserName()
        let openssh = OpenSSHTransport(configuration: configuration, password: nil, mayAsk: false)
        guard configuration.ssh.transport != .libssh2, openssh.isInstalled else { return mine }
        guard let user = openssh.settings["user"] else { return nil }
        return .some(user == mine || configuration.ssh.transport == .openssh ? user : nil)
    }
}
