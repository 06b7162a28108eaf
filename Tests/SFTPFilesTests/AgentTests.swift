import FileProviding
import Foundation
import Glibc
import TestSupport
import Testing

@testable import SFTPFiles

/// Agents that behave differently from OpenSSH's.
@Suite(.enabled(if: TestServer("SSHD") != nil, "needs Scripts/test-servers")) struct AgentTests {
    private let server = TestServer("SSHD")!

    @Test(
        "an unusable agent is skipped, and reported if no other method succeeds",
        arguments: [
            (FakeAgent.Answer.silence, "the agent does not answer"), (.hangUp, "the agent hangs up"),
            (.bytes([0, 0, 0, 1, 99]), "the agent does not answer as agents do"),
            (.bytes([0xFF, 0xFF, 0xFF, 0xFF]), "the agent does not answer as agents do"),
            (.bytes([0, 0, 0, 5, 12, 0, 0, 0, 9]), "the agent does not answer as agents do"),
            (.bytes([0, 0, 0, 1, 5]), "the agent holds no key for it"),
        ])
    func unusable(answer: FakeAgent.Answer, reason: String) async throws {
        let agent = try FakeAgent(listing: answer)
        #expect(try await provider(LocalPath(agent.path)).attributesOfItem(path: .root).isDirectory)
        let error = try await #require(throws: URLError.self) {
            try await provider(LocalPath(agent.path), key: "id_stranger").attributesOfItem(path: .root)
        }
        #expect(error.code == .userAuthenticationRequired)
        #expect(error.localizedDescription.contains("\(reason)"), "\(error.localizedDescription)")
    }

    @Test(
        "an agent that does not sign with a key costs only that key",
        arguments: [FakeAgent.Answer.hangUp, .bytes([0, 0, 0, 5, 14, 0, 0, 0, 9])])
    func signing(answer: FakeAgent.Answer) async throws {
        let key = try publicKey("id_ed25519")
        let agent = try FakeAgent(listing: .keys([key]), signing: answer)
        let error = try await #require(throws: URLError.self) {
            try await provider(LocalPath(agent.path), key: nil).attributesOfItem(path: .root)
        }
        #expect(error.code == .userAuthenticationRequired)
        #expect(error.localizedDescription.contains("none of the agent's 1 keys"), "\(error.localizedDescription)")
        #expect(agent.requests == [11, 13])
    }

    @Test("waiting for the agent's signature does not count against the server")
    func slow() async throws {
        try await server.withAgent(holding: "id_ed25519", asking: "sleep 2.5") { agent in
            let provider = try provider(agent, key: nil) { $0.connectTimeout = 2 }
            #expect(try await provider.attributesOfItem(path: .root).isDirectory)
        }
    }

    @Test("a key that the user does not let the agent use is refused")
    func denied() async throws {
        try await server.withAgent(holding: "id_ed25519", asking: "exit 1") { agent in
            let error = try await #require(throws: URLError.self) {
                try await provider(agent, key: nil).attributesOfItem(path: .root)
            }
            #expect(error.code == .userAuthenticationRequired)
            #expect(error.localizedDescription.contains("none of the agent's 1 keys"), "\(error.localizedDescription)")
        }
    }

    /// Returns a provider that logs in with the agent's keys and one of the server's key files.
    private func provider(
        _ agent: LocalPath, key: String? = "id_ed25519", _ adjust: (inout SSHConfiguration) -> Void = { _ in }
    ) throws -> SFTPFileProvider {
        var configuration = try server.configuration(.libssh2)
        configuration.ssh.usesAgent = true
        configuration.ssh.agent = agent
        configuration.ssh.keys = key.map { [server.keys.appending($0.utf8)] }
        adjust(&configuration.ssh)
        return try SFTPFileProvider(configuration: configuration, credential: nil)
    }

    private func publicKey(_ name: String) throws -> [UInt8] {
        let line = try String(contentsOfFile: server.keys.appending("\(name).pub").description, encoding: .utf8)
        return Array(try #require(Data(base64Encoded: String(line.split(separator: " ")[1]))))
    }
}

/// An agent with scripted answers, one request per connection.
final class FakeAgent: Sendable {
    enum Answer: Sendable {
        case silence, hangUp
        case bytes([UInt8])
        case keys([[UInt8]])
    }

    let path = FakeAgent.path()
    private let listener: Listener
    private let types = Locked<[UInt8]>([])

    /// The types of the received requests.
    var requests: [UInt8] { types.withLock { $0 } }

    static func path() -> String {
        FileManager.default.temporaryDirectory.appending(path: "agent-\(UInt32.random(in: 0 ... .max))").path
    }

    init(listing: Answer, signing: Answer = .hangUp) throws {
        listener = try Listener(at: path)
        let (listener, types) = (listener, types)
        Thread {
            var silent: [LocalFileHandle] = []
            while let caller = listener.accept() {
                guard let request = Self.message(from: caller.descriptor) else { continue }
                types.withLock { $0.append(request[4]) }
                switch request[4] == 11 ? listing : signing {
                case .silence: silent.append(caller)
                case .hangUp: break
                case .bytes(let bytes): _ = send(caller.descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL))
                case .keys(let keys):
                    let body =
                        [12] + AgentClient.number(UInt32(keys.count))
                        + keys.flatMap { AgentClient.string($0) + AgentClient.string([]) }
                    let bytes = AgentClient.string(body)
                    _ = send(caller.descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL))
                }
            }
        }.start()
    }

    deinit {
        unlink(path)
        listener.close()
    }

    /// Reads a message including its length.
    private static func message(from descriptor: Int32) -> [UInt8]? {
        guard let head = bytes(4, from: descriptor) else { return nil }
        return bytes(head.reduce(0) { $0 << 8 | Int($1) }, from: descriptor).map { head + $0 }
    }

    private static func bytes(_ count: Int, from descriptor: Int32) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: count)
        return recv(descriptor, &bytes, count, Int32(MSG_WAITALL)) == count && count > 0 ? bytes : nil
    }
}
