import FileProviding
import Foundation
import Glibc

/// An agent that accepts connections and does not answer.
struct SilentAgent: Error {}

/// Asks an agent for its keys before libssh2 does, which would wait for the answer for ever.
struct AgentProbe {
    /// How long an agent may take.
    private static let patience = Duration.seconds(5)
    /// A message of one byte, SSH_AGENTC_REQUEST_IDENTITIES (draft-miller-ssh-agent, section 4.4).
    private static let request: [UInt8] = [0, 0, 0, 1, 11]

    private var address: sockaddr_un

    /// - Parameter path: the agent's socket, or `nil` for the one that the environment names, as libssh2 finds it.
    init?(_ path: LocalPath?) {
        let place = path?.bytes ?? ProcessInfo.processInfo.environment["SSH_AUTH_SOCK"].map { Array($0.utf8) }
        address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        guard let place, place.count < MemoryLayout.size(ofValue: address.sun_path) else { return nil }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: place) }
    }

    /// Waits for the beginning of the answer, if there is an agent.
    ///
    /// - Throws: ``SilentAgent``; `CancellationError` when nobody wants the connection any more.
    func awaitAnswer(_ session: LibSSH2Session) throws {
        let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
        let descriptor = socket(AF_UNIX, kind, 0)
        guard descriptor >= 0 else { return }
        let connection = LocalFileHandle(owning: descriptor)
        let deadline = ContinuousClock.now + Self.patience
        var problem = connect(connection)
        // As many clients as it accepts at once are waiting for it already.
        while problem == EAGAIN, .now < deadline {
            _ = try session.wait(-1, for: 0, until: .now + .milliseconds(1))
            problem = connect(connection)
        }
        guard problem == 0 || problem == EAGAIN else { return }
        let isSent = send(descriptor, Self.request, Self.request.count, Int32(MSG_NOSIGNAL)) == Self.request.count
        guard isSent, try session.wait(descriptor, for: POLLIN, until: deadline) else { throw SilentAgent() }
    }

    private func connect(_ socket: LocalFileHandle) -> Int32 {
        let result = withUnsafePointer(to: address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                Glibc.connect(socket.descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        return result == 0 ? 0 : errno
    }
}
