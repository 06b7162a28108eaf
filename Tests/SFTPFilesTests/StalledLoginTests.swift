import FileProviding
import Foundation
import Glibc
import TestSupport
import Testing

@testable import SFTPFiles

/// Others that keep a login waiting for ever.
@Suite struct StalledLoginTests {
    @Test("a server that sends text without end before its greeting is given up")
    func endlessText() async throws {
        let listener = try Listener()
        let text = Thread {
            guard let caller = listener.accept() else { return }
            let lines = Array(String(repeating: "Welcome!\r\n", count: 10_000).utf8)
            while send(caller.descriptor, lines, lines.count, Int32(MSG_NOSIGNAL)) > 0 {}
        }
        text.start()
        var configuration = SFTPConfiguration(host: "127.0.0.1", port: listener.port)
        configuration.ssh.transport = .libssh2
        configuration.ssh.connectTimeout = 1
        let provider = try SFTPFileProvider(configuration: configuration, credential: nil)
        let error = try await #require(throws: URLError.self) { try await provider.attributesOfItem(path: .root) }
        #expect(error.code == .timedOut)
    }

    @Test("an agent that accepts and does not answer is passed over", .enabled(if: TestServer("SSHD") != nil))
    func silentAgent() async throws {
        let path = FileManager.default.temporaryDirectory.appending(path: "silent-\(UInt32.random(in: 0 ... .max))")
            .path
        let agent = try Listener(at: path)
        defer { unlink(path) }
        var configuration = try #require(TestServer("SSHD")).configuration(.libssh2)
        configuration.ssh.usesAgent = true
        configuration.ssh.agent = LocalPath(path)
        let key = configuration.ssh.keys
        #expect(
            try await SFTPFileProvider(configuration: configuration, credential: nil).attributesOfItem(path: .root)
                .isDirectory)
        configuration.ssh.keys = [try #require(TestServer("SSHD")).keys.appending("id_stranger".utf8)]
        try #require(key != configuration.ssh.keys)
        let stranger = try SFTPFileProvider(configuration: configuration, credential: nil)
        let error = try await #require(throws: URLError.self) { try await stranger.attributesOfItem(path: .root) }
        #expect(error.localizedDescription.contains("the agent does not answer"), "\(error.localizedDescription)")
        withExtendedLifetime(agent) {}
    }
}

/// A socket on which callers are accepted, or left waiting.
private final class Listener: Sendable {
    private let socket: LocalFileHandle
    /// The port, if it is one of this machine's.
    let port: Int

    /// Listens on a free port of the loopback interface.
    init() throws {
        let socket = LocalFileHandle(owning: Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        try Self.listen(socket, &address)
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        _ = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(socket.descriptor, $0, &size) }
        }
        self.socket = socket
        port = Int(UInt16(bigEndian: address.sin_port))
    }

    /// Listens at a path.
    init(at path: String) throws {
        socket = LocalFileHandle(owning: Glibc.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0))
        port = 0
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        try Self.listen(socket, &address)
    }

    private static func listen<Address>(_ socket: LocalFileHandle, _ address: inout Address) throws {
        let result = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(socket.descriptor, $0, socklen_t(MemoryLayout<Address>.size))
            }
        }
        try #require(result == 0 && Glibc.listen(socket.descriptor, 8) == 0)
    }

    func accept() -> LocalFileHandle? {
        let caller = Glibc.accept(socket.descriptor, nil, nil)
        return caller < 0 ? nil : LocalFileHandle(owning: caller)
    }
}
