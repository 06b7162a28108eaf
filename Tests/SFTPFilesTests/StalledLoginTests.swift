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
}
