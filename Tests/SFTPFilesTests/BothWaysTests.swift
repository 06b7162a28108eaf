import FileProviderTesting
import FileProviding
import Foundation
import SFTPFiles
import TestSupport
import Testing

/// Much in both directions over one connection of libssh2's, on a line that is slow to take it.
@Suite(.enabled(if: TestServer("SSHPROFTPD") != nil)) struct BothWaysTests {
    /// ProFTPD grants a window of gigabytes, so that more is sent than the line takes at once.
    @Test("uploads that fill the line do not end downloads") func together() async throws {
        let server = try #require(TestServer("SSHPROFTPD"))
        let proxy = try FaultProxy(to: server.port) { _ in
            FaultProxy.Faults(toServer: [.trickle(bytesPerSecond: 16 << 20)])
        }
        defer { proxy.stop() }
        var (configuration, known) = try server.configuration(through: proxy.port)
        defer { try? PrivateFile.remove(known) }
        configuration.ssh.connections = 1
        let provider = try SFTPFileProvider(configuration: configuration, credential: nil)
        let folder = try ItemPath(validating: "/both-\(UUID())")
        try await provider.createDirectory(path: folder)
        let bytes = Data((0..<(16 << 17)).flatMap { number in withUnsafeBytes(of: UInt64(number)) { Array($0) } })
        let source = try folder.appending("source")
        try await provider.writeContents(path: source, contents: bytes)
        try await withThrowingDiscardingTaskGroup { group in
            for number in 0..<3 {
                let reading = try await provider.read(path: source)
                group.addTask {
                    let read = try await reading.collect()
                    #expect(read == bytes)
                }
                group.addTask {
                    try await provider.writeContents(path: folder.appending("copy \(number)"), contents: bytes)
                }
            }
        }
        #expect(provider.session.connectionCount == 1)
        for number in 0..<3 { #expect(try await provider.contents(path: folder.appending("copy \(number)")) == bytes) }
        try await provider.removeItem(path: folder)
    }
}
