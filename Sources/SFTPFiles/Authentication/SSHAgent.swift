import CSSH2
import FileProviding
import Foundation
import Glibc

/// The keys of an SSH agent, and logging in with them (draft-miller-ssh-agent).
///
/// libssh2's own agent client waits forever for an agent that does not answer, and loops forever if one closes the
/// connection, as some do to refuse a signature. This client has deadlines and uses one connection per request, so that
/// a refusal costs only one key.
final class SSHAgent {
    /// The public keys that the agent holds, in their wire format.
    let keys: [[UInt8]]
    private let session: LibSSH2Session
    private let line: AgentClient
    /// The key of the current login, and why it could not be used.
    private var key: [UInt8] = []
    private var problem: (any Error)?

    /// How long the agent may take to list its keys.
    private static let patience = Duration.seconds(5)
    /// How long it may take to sign, which may require confirmation or a touch: the usual time limit for a login
    /// (OpenSSH's LoginGraceTime).
    private static let longPatience = Duration.seconds(120)

    private enum Message {
        static let failure: UInt8 = 5
        static let requestIdentities: UInt8 = 11
        static let identitiesAnswer: UInt8 = 12
        static let signRequest: UInt8 = 13
        static let signResponse: UInt8 = 14
    }

    /// Requests the agent's keys; returns `nil` if there is no agent.
    ///
    /// - Parameter path: the path of the agent's socket; `nil` for the environment's `SSH_AUTH_SOCK`.
    /// - Throws: ``AgentProblem``; `CancellationError` if the connection is no longer needed.
    init?(_ session: LibSSH2Session, _ path: LocalPath?) throws {
        guard let line = AgentClient(session, path) else { return nil }
        self.session = session
        self.line = line
        let deadline = ContinuousClock.now + Self.patience
        guard let answer = try line.ask([Message.requestIdentities], until: deadline) else { return nil }
        keys = try Self.keys(in: answer)
    }

    /// Parses the list of keys (draft-miller-ssh-agent, section 4.4).
    private static func keys(in answer: [UInt8]) throws -> [[UInt8]] {
        try answer.withUnsafeBytes { bytes in
            var reader = PacketReader(bytes)
            do {
                let type = try reader.byte()
                if type == Message.failure { return [] }
                guard type == Message.identitiesAnswer else { throw AgentProblem.nonsense }
                var keys: [[UInt8]] = []
                for _ in 0..<(try reader.uint32()) {
                    keys.append(try reader.string())
                    _ = try reader.slice()
                }
                return keys
            } catch is MalformedPacket {
                throw AgentProblem.nonsense
            }
        }
    }

    /// Performs one step of logging in with a key; returns 0 when the login is complete.
    ///
    /// - Throws: `CancellationError` if the connection is no longer needed.
    func logIn(_ user: String, _ key: [UInt8]) throws -> Int32 {
        self.key = key
        problem = nil
        var me: UnsafeMutableRawPointer? = Unmanaged.passUnretained(self).toOpaque()
        let result = libssh2_userauth_publickey(
            session.pointer, user, key, key.count,
            { _, signature, length, data, count, me in
                guard let me = me?.pointee, let signature, let length, let data else { return -1 }
                let agent = Unmanaged<SSHAgent>.fromOpaque(me).takeUnretainedValue()
                let signed = agent.sign(UnsafeRawBufferPointer(start: data, count: count))
                // libssh2 frees the signature with its allocator, which is the C library's.
                guard let signed, let copy = malloc(max(signed.count, 1)) else { return -1 }
                copy.copyMemory(from: signed, byteCount: signed.count)
                signature.pointee = copy.assumingMemoryBound(to: UInt8.self)
                length.pointee = signed.count
                return 0
            }, &me)
        if let cancelled = problem as? CancellationError { throw cancelled }
        return result
    }

    /// Asks the agent for the signature that proves a login (section 4.5); returns `nil` if there is none.
    private func sign(_ data: UnsafeRawBufferPointer) -> [UInt8]? {
        // No flags: they apply to RSA keys, which are left to the OpenSSH client.
        let request =
            [Message.signRequest] + AgentClient.string(key) + AgentClient.string(Array(data)) + AgentClient.number(0)
        do {
            return try session.besideConnecting {
                guard let answer = try line.ask(request, until: .now + Self.longPatience) else { return nil }
                return try answer.withUnsafeBytes { bytes in
                    var reader = PacketReader(bytes)
                    guard try reader.byte() == Message.signResponse else { return nil }
                    return try reader.slice().withUnsafeBytes { signature in
                        var reader = PacketReader(signature)
                        let algorithm = String(decoding: try reader.slice(), as: UTF8.self)
                        return algorithm == SSHKeyBlob.algorithm(of: key) ? try reader.string() : nil
                    }
                }
            }
        } catch {
            problem = error
            return nil
        }
    }
}

/// An agent that cannot be used.
struct AgentProblem: Error {
    /// What the agent does wrong, as the end of a sentence.
    let reason: String

    static let silence = AgentProblem(reason: "does not answer")
    static let hangUp = AgentProblem(reason: "hangs up")
    static let nonsense = AgentProblem(reason: "does not answer as agents do")
}
