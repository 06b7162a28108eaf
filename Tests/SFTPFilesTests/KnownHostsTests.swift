import FileProviding
import Foundation
import Testing

@testable import SFTPFiles

/// Lines of `known_hosts` as OpenSSH reads them.
@Suite struct KnownHostsTests {
    private static let key = "AAAAC3NzaC1lZDI1NTE5AAAAIGSQcvJDpGuWVZVjHcKcKUAoUJQ7XWAxHCH8aHZ2cVsQ"

    @Test(
        "patterns, lists, ports and exclusions name hosts",
        arguments: [
            ("host", "host", true), ("HOST", "host", true), ("host", "host2", false), ("*.example", "a.example", true),
            ("*.example", "example", false), ("h?st", "host", true), ("h?st", "hst", false), ("a,b,c", "b", true),
            ("*,!b", "b", false), ("*,!b", "a", true), ("[host]:22022", "[host]:22022", true),
            ("host", "[host]:22022", false),
            ("*a*b*", "xaybz", true), ("*a*b", "xaybz", false),
        ])
    func names(pattern: String, host: String, isMeant: Bool) throws {
        let entry = try #require(KnownHostsEntry(line: Array("\(pattern) ssh-ed25519 \(Self.key) comment".utf8)))
        #expect(entry.names(host) == isMeant)
    }

    @Test("a hashed name is found, and only that")
    func hashed() throws {
        // ssh-keygen -H made it of "host.example".
        let made = KnownHostsEntry.line(
            for: SSHHostKey(host: "host.example", algorithm: "ssh-ed25519", blob: Array(Data(base64Encoded: Self.key)!))
        )
        let entry = try #require(KnownHostsEntry(line: Array(made.dropLast().utf8)))
        #expect(made.hasPrefix("|1|"))
        #expect(entry.names("host.example") && !entry.names("other.example"))
        let openSSHs = "|1|F1E1KeoE/eEWhi10WpGv4OdiO6Y=|3988QV0VE8wmZL7suNrYQLITLCg= ssh-ed25519 \(Self.key)"
        #expect(KnownHostsEntry(line: Array(openSSHs.utf8))?.names("192.168.1.61") == true)
    }

    @Test("a file that cannot be read is not taken for an empty one")
    func unreadable() throws {
        #expect(throws: CocoaError.self) { try KnownHosts([LocalPath("/")]) }
        #expect(try KnownHosts([LocalPath("/nonexistent/known_hosts")]).keys(of: "host").isEmpty)
    }

    @Test(
        "what is no entry is none",
        arguments: ["", "# comment", "host", "host ssh-ed25519", "host ssh-ed25519 %%%", "@other h t AAAA"])
    func noEntry(line: String) { #expect(KnownHostsEntry(line: Array(line.utf8)) == nil) }
}
