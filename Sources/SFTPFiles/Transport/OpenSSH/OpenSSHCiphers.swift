import FileProviding
import Foundation
import Glibc

/// The order in which the OpenSSH client offers its ciphers: by default it begins with ChaCha20, and AES-GCM is twice
/// as fast if the processor supports AES.
enum OpenSSHCiphers {
    private static let slow = "chacha20-poly1305@openssh.com"
    private static let fast = ["aes128-gcm@openssh.com", "aes256-gcm@openssh.com"]

    /// Returns the ciphers that the user's configuration allows, the fast ones first; `nil` if the order is to stay:
    /// the user chose another, or the processor does not support AES.
    ///
    /// - Parameter arguments: those of the client, with the host at the end.
    static func preferred(_ program: LocalPath, _ arguments: [String]) -> String? {
        guard Processor.computesAES, let child = try? ChildProcess(program, ["-G"] + arguments) else { return nil }
        defer { child.end() }
        let line = output(of: child).split(separator: "\n").first { $0.hasPrefix("ciphers ") }
        return line.flatMap { reordered(String($0.dropFirst("ciphers ".count))) }
    }

    /// The fast ones before the client's own; `nil` if the processor does not support AES.
    static let head = Processor.computesAES ? "^" + fast.joined(separator: ",") : nil

    /// Returns the list with the fast ones first, if it begins with the slow one, as the client's default does.
    static func reordered(_ list: String) -> String? {
        let allowed = list.split(separator: ",").map(String.init)
        let preferred = fast.filter(allowed.contains)
        guard allowed.first == slow, !preferred.isEmpty else { return nil }
        return (preferred + allowed.filter { !preferred.contains($0) }).joined(separator: ",")
    }

    /// Returns the program's output until it ends, for a few seconds at most.
    private static func output(of child: ChildProcess) -> String {
        var (text, buffer) = ([UInt8](), [UInt8](repeating: 0, count: 16 << 10))
        let deadline = ContinuousClock.now + .seconds(5)
        while ContinuousClock.now < deadline, text.count < 1 << 20 {
            var wish = pollfd(fd: child.socket.descriptor, events: Int16(POLLIN), revents: 0)
            guard poll(&wish, 1, 1_000) > 0 else { continue }
            let count = recv(child.socket.descriptor, &buffer, buffer.count, 0)
            guard count > 0 else { break }
            text += buffer[..<count]
        }
        return String(decoding: text, as: UTF8.self)
    }
}
