import FileProviding
import Foundation
import Glibc
import TestSupport
import Testing

@testable import SFTPFiles

/// Servers that never complete a login.
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

    @Test("a server that refuses the connection for a moment, as when it restarts, is tried again")
    func restarting() async throws {
        let port = try Listener().port
        var configuration = SFTPConfiguration(host: "127.0.0.1", port: port)
        configuration.ssh.transport = .libssh2
        let provider = try SFTPFileProvider(configuration: configuration, credential: nil)
        let start = ContinuousClock.now
        let refused = await #expect(throws: URLError.self) { try await provider.attributesOfItem(path: .root) }
        #expect(refused?.code == .cannotConnectToHost && .now - start > .seconds(1))

        let found = Task { try await provider.attributesOfItem(path: .root) }
        try await Task.sleep(for: .milliseconds(300))
        let listener = try Listener(on: port)
        defer { listener.close() }
        Thread.detachNewThread {
            // Whoever connects now is sent away with what no SSH server says.
            while let caller = listener.accept() { send(caller.descriptor, "HTTP/1.1 400 No\r\n\r\n", 20, 0) }
        }
        let error = await #expect(throws: URLError.self) { try await found.value }
        #expect(error?.code != .cannotConnectToHost)
    }
}
