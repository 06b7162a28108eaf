import FileProviding
import Foundation
import Glibc

/// Sends requests to an SSH agent, each over its own connection, and waits for the answers in a way that can be
/// cancelled.
struct AgentClient {
    private let session: LibSSH2Session
    private let address: sockaddr_un

    /// The maximum answer length, the same as OpenSSH's.
    private static let limit = 256 << 10

    /// Returns `nil` if no agent is configured, or its path is too long for a socket.
    init?(_ session: LibSSH2Session, _ path: LocalPath?) {
        let place = path?.bytes ?? ProcessInfo.processInfo.environment["SSH_AUTH_SOCK"].map { Array($0.utf8) }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        guard let place, place.count < MemoryLayout.size(ofValue: address.sun_path) else { return nil }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: place) }
        self.session = session
        self.address = address
    }

    static func number(_ value: UInt32) -> [UInt8] { withUnsafeBytes(of: value.bigEndian, Array.init) }
    static func string(_ bytes: [UInt8]) -> [UInt8] { number(UInt32(bytes.count)) + bytes }

    /// Returns the agent's answer to a message, both starting with the type byte; `nil` if there is no agent.
    ///
    /// - Throws: ``AgentProblem``; `CancellationError` if the connection is no longer needed.
    func ask(_ message: [UInt8], until deadline: ContinuousClock.Instant) throws -> [UInt8]? {
        guard let connection = try connect(until: deadline) else { return nil }
        try send(Self.string(message), over: connection, until: deadline)
        let length = try receive(4, over: connection, until: deadline).reduce(0) { $0 << 8 | Int($1) }
        guard (1...Self.limit).contains(length) else { throw AgentProblem.nonsense }
        return try receive(length, over: connection, until: deadline)
    }

    private func connect(until deadline: ContinuousClock.Instant) throws -> LocalFileHandle? {
        let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
        let descriptor = socket(AF_UNIX, kind, 0)
        guard descriptor >= 0 else { return nil }
        let connection = LocalFileHandle(owning: descriptor)
        while true {
            let result = withUnsafePointer(to: address) {
                $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    Glibc.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
                }
            }
            if result == 0 { return connection }
            // The agent's queue of waiting clients is full.
            guard errno == EAGAIN else { return nil }
            guard .now < deadline else { throw AgentProblem.silence }
            _ = try session.wait(-1, for: 0, until: min(deadline, .now + .milliseconds(10)))
        }
    }

    private func send(
        _ bytes: [UInt8], over connection: LocalFileHandle, until deadline: ContinuousClock.Instant
    ) throws {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes {
                Glibc.send(connection.descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            if count >= 0 {
                rest = rest.dropFirst(count)
            } else if errno == EAGAIN {
                try wait(connection, for: POLLOUT, until: deadline)
            } else if errno != EINTR {
                throw AgentProblem.hangUp
            }
        }
    }

    private func receive(
        _ count: Int, over connection: LocalFileHandle, until deadline: ContinuousClock.Instant
    ) throws -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        var filled = 0
        while filled < count {
            let count = bytes.withUnsafeMutableBytes {
                recv(connection.descriptor, $0.baseAddress! + filled, $0.count - filled, 0)
            }
            if count > 0 {
                filled += count
            } else if count < 0, errno == EAGAIN {
                try wait(connection, for: POLLIN, until: deadline)
            } else if count == 0 || errno != EINTR {
                throw AgentProblem.hangUp
            }
        }
        return bytes
    }

    private func wait(
        _ connection: LocalFileHandle, for events: Int32, until deadline: ContinuousClock.Instant
    ) throws {
        guard try session.wait(connection.descriptor, for: events, until: deadline) else { throw AgentProblem.silence }
    }
}
