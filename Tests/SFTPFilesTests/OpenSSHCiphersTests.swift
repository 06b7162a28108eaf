import FileProviding
import Foundation
import Testing

@testable import SFTPFiles

/// Which cipher the OpenSSH client is to use, within what the person allows.
@Suite struct OpenSSHCiphersTests {
    @Test(
        "AES-GCM comes before ChaCha20, and nothing is added or lost",
        arguments: [
            (
                "chacha20-poly1305@openssh.com,aes128-ctr,aes256-gcm@openssh.com,aes128-gcm@openssh.com",
                "aes128-gcm@openssh.com,aes256-gcm@openssh.com,chacha20-poly1305@openssh.com,aes128-ctr"
            ),
            // Whoever begins with something else, or allows no AES-GCM, chose that.
            ("aes256-ctr,chacha20-poly1305@openssh.com,aes128-gcm@openssh.com", nil),
            ("chacha20-poly1305@openssh.com", nil),
            ("", nil),
        ] as [(String, String?)])
    func order(allowed: String, preferred: String?) {
        #expect(OpenSSHCiphers.reordered(allowed) == preferred)
    }

    @Test(
        "the client is asked what its configuration allows",
        .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/ssh")))
    func configuration() throws {
        let program = LocalPath("/usr/bin/ssh")
        let chosen = ["-F", "none", "-o", "Ciphers=aes256-ctr", "--", "host.example"]
        #expect(OpenSSHCiphers.preferred(OpenSSHSettings(program, chosen)) == nil)
        let text = try String(contentsOfFile: "/proc/cpuinfo", encoding: .utf8)
        let expected = text.contains(" aes ") ? "aes128-gcm@openssh.com" : nil
        let preferred = OpenSSHCiphers.preferred(OpenSSHSettings(program, ["-F", "none", "--", "host.example"]))
        #expect(preferred?.split(separator: ",").first.map(String.init) == expected)
    }
}
