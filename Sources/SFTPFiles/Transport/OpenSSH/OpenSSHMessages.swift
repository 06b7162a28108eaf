import FileProviding
import Foundation

/// Interprets the OpenSSH client's messages.
enum OpenSSHMessages {
    private static let refusal = "Connection refused"
    private static let meanings: [(words: String, code: URLError.Code, reason: String?)] = [
        ("REMOTE HOST IDENTIFICATION HAS CHANGED", .serverCertificateUntrusted, "the host's key has changed"),
        ("REVOKED HOST KEY", .serverCertificateUntrusted, "the host's key is revoked"),
        ("Host key verification failed", .serverCertificateUntrusted, "the host's key is not known"),
        ("No ED25519 host key is known", .serverCertificateUntrusted, "the host's key is not known"),
        ("Permission denied (", .userAuthenticationRequired, nil),
        ("Too many authentication failures", .userAuthenticationRequired, "too many keys were tried"),
        ("Could not resolve hostname", .cannotFindHost, nil),
        (refusal, .cannotConnectToHost, "the connection was refused"),
        ("No route to host", .cannotConnectToHost, "there is no way to the host"),
        ("Network is unreachable", .cannotConnectToHost, "the network cannot be reached"),
        ("Connection timed out", .timedOut, nil),
        ("Operation timed out", .timedOut, nil),
        ("subsystem request failed", .badServerResponse, "the server offers no sftp subsystem"),
        ("no matching", .secureConnectionFailed, nil),
    ]

    /// Returns the error for a client that ended.
    static func error(_ said: String, exit status: Int32, _ configuration: SFTPConfiguration) -> URLError {
        let lines = said.split(whereSeparator: \.isNewline).map { shown(String($0)) }
        let last = lines.last { !$0.hasPrefix("Connection to ") && !$0.hasPrefix("Connection closed") } ?? lines.last
        if said.contains("kex_exchange_identification: ") {
            let words = last ?? "the server hung up"
            return urlError(configuration.url, code: .networkConnectionLost, reason: "while connecting: ssh: \(words)")
                .ungreeted()
        }
        guard let meaning = meanings.first(where: { said.contains($0.words) }) else {
            return urlError(
                configuration.url, code: .networkConnectionLost,
                reason: last.map { "ssh: \($0)" } ?? "the server hung up; ssh ended with status \(status)")
        }
        var reason = [meaning.reason, last].compactMap { $0 }.joined(separator: "; ssh: ")
        if meaning.code == .serverCertificateUntrusted, let detail = keys(said, configuration) {
            reason = "\(meaning.reason ?? ""): \(detail)"
        }
        if meaning.code == .userAuthenticationRequired, let missing = missingKey(configuration) {
            // The client reports this only for keys on its command line.
            reason = "there is no key file \(missing); ssh: \(last ?? "")"
        }
        if meaning.code == .serverCertificateUntrusted { return .untrustedHost(configuration.url, reason) }
        let error = urlError(configuration.url, code: meaning.code, reason: reason)
        if meaning.words == refusal { return error.ungreeted() }
        guard let methods = said.firstMatch(of: /Permission denied \(([a-z,-]+)\)/)?.output.1 else { return error }
        return error.carrying(sshMethods: methods.split(separator: ",").map(String.init))
    }

    /// Returns the key that was presented, as the client names it, next to the known ones.
    private static func keys(_ said: String, _ configuration: SFTPConfiguration) -> String? {
        let shownKey = said.firstMatch(of: /SHA256:[A-Za-z0-9+\/]{43}/).map { String($0.output) }
        let hosts = try? KnownHosts(configuration.ssh.knownHosts)
        let known = (hosts?.keys(of: configuration.hostLabel) ?? []).map { "\($0.algorithm) \($0.fingerprint)" }
        guard let shownKey else { return nil }
        let here = known.isEmpty ? "none is known" : "known: \(known.joined(separator: ", "))"
        return "it shows \(shownKey); \(here)"
    }

    /// Returns the first named key of which neither half exists.
    private static func missingKey(_ configuration: SFTPConfiguration) -> LocalPath? {
        configuration.ssh.keys?.first { key in
            [key, LocalPath(bytes: key.bytes + Array(".pub".utf8))].allSatisfy { path in
                path.withCString { access($0, F_OK) } != 0
            }
        }
    }

    private static func shown(_ line: String) -> String {
        String(
            String.UnicodeScalarView(line.unicodeScalars.filter { $0.value >= 0x20 && $0.value != 0x7F }.prefix(300)))
    }
}
