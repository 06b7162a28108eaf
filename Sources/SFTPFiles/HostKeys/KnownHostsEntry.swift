import Crypto
import Foundation

/// A line of a `known_hosts` file.
struct KnownHostsEntry: Sendable {
    /// The marker of a line, which says how its key is to be used.
    enum Mark: String, Sendable {
        case revoked = "@revoked"
        case authority = "@cert-authority"
    }

    private enum Names: Sendable {
        case patterns([String])
        case hashed(salt: Data, digest: Data)
    }

    let mark: Mark?
    let algorithm: String
    let blob: [UInt8]
    private let names: Names

    /// Parses a line; `nil` for comments and invalid lines.
    init?(line: [UInt8]) {
        var words = String(decoding: line, as: UTF8.self).split(whereSeparator: \.isWhitespace)[...]
        guard let first = words.first, !first.hasPrefix("#") else { return nil }
        if first.hasPrefix("@") {
            guard let mark = Mark(rawValue: String(first)) else { return nil }
            self.mark = mark
            words.removeFirst()
        } else {
            mark = nil
        }
        guard words.count >= 3, let blob = Data(base64Encoded: String(words[words.startIndex + 2])) else { return nil }
        algorithm = String(words[words.startIndex + 1])
        self.blob = Array(blob)
        let host = words[words.startIndex]
        if host.hasPrefix("|1|") {
            let parts = host.split(separator: "|")
            guard parts.count == 3, let salt = Data(base64Encoded: String(parts[1])),
                let digest = Data(base64Encoded: String(parts[2]))
            else { return nil }
            names = .hashed(salt: salt, digest: digest)
        } else {
            names = .patterns(host.lowercased().split(separator: ",").map(String.init))
        }
    }

    /// Returns whether the line is about a host: `host`, or `[host]:port`.
    func names(_ host: String) -> Bool {
        switch names {
        case .hashed(let salt, let digest): return Self.digest(of: host, salt: salt) == digest
        case .patterns(let patterns):
            // One pattern that excludes the host overrides all others.
            if patterns.contains(where: { $0.hasPrefix("!") && Self.matches(host, $0.dropFirst()) }) { return false }
            return patterns.contains { !$0.hasPrefix("!") && Self.matches(host, $0[...]) }
        }
    }

    /// Returns a line for a host's key, with the name hashed using a new salt.
    static func line(for key: SSHHostKey) -> String {
        let salt = Data((0..<20).map { _ in UInt8.random(in: 0...255) })
        let name = "|1|\(salt.base64EncodedString())|\(digest(of: key.host, salt: salt).base64EncodedString())"
        return "\(name) \(key.algorithm) \(Data(key.blob).base64EncodedString())\n"
    }

    private static func digest(of host: String, salt: Data) -> Data {
        Data(HMAC<Insecure.SHA1>.authenticationCode(for: Data(host.utf8), using: SymmetricKey(data: salt)))
    }

    /// Returns whether a pattern matches: `*` stands for any text, `?` for one character.
    private static func matches(_ text: String, _ pattern: Substring) -> Bool {
        var (text, pattern) = (Array(text.utf8)[...], Array(pattern.utf8)[...])
        var retry: (text: ArraySlice<UInt8>, pattern: ArraySlice<UInt8>)?
        while !text.isEmpty {
            if pattern.first == UInt8(ascii: "*") {
                pattern.removeFirst()
                retry = (text, pattern)
            } else if let wanted = pattern.first, wanted == UInt8(ascii: "?") || wanted == text.first {
                text.removeFirst()
                pattern.removeFirst()
            } else if var back = retry {
                back.text.removeFirst()
                retry = back
                (text, pattern) = back
            } else {
                return false
            }
        }
        return pattern.allSatisfy { $0 == UInt8(ascii: "*") }
    }
}
