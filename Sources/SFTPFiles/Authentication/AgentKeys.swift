import CSSH2
import FileProviding

/// The keys held by an SSH agent.
final class AgentKeys {
    /// A key in the agent.
    struct Key {
        let blob: [UInt8]
        fileprivate let identity: UnsafeMutablePointer<libssh2_agent_publickey>
    }

    let keys: [Key]
    private let agent: OpaquePointer

    /// Requests the agent's keys; `nil` when there is no agent.
    ///
    /// - Throws: ``SilentAgent`` when it does not answer; `CancellationError` when nobody wants the connection any more.
    init?(_ session: LibSSH2Session, _ socket: LocalPath?) throws {
        try AgentProbe(socket)?.awaitAnswer(session)
        guard let agent = libssh2_agent_init(session.pointer) else { return nil }
        self.agent = agent
        socket?.withCString { libssh2_agent_set_identity_path(agent, $0) }
        guard libssh2_agent_connect(agent) == 0 else {
            keys = []
            return nil
        }
        var found: [Key] = []
        if libssh2_agent_list_identities(agent) == 0 {
            var identity: UnsafeMutablePointer<libssh2_agent_publickey>?
            while libssh2_agent_get_identity(agent, &identity, identity) == 0, let current = identity {
                let blob = UnsafeBufferPointer(start: current.pointee.blob, count: current.pointee.blob_len)
                found.append(Key(blob: Array(blob), identity: current))
            }
        }
        keys = found
    }

    deinit {
        libssh2_agent_disconnect(agent)
        libssh2_agent_free(agent)
    }

    /// Does one step of logging in with a key; returns 0 when done.
    func logIn(_ user: String, _ key: Key) -> Int32 { libssh2_agent_userauth(agent, user, key.identity) }
}
