import Foundation

/// A scheme, host and port: the scope of a credential (RFC 6454).
struct Origin: Hashable, Sendable {
    let scheme: String
    let host: String
    let port: Int

    init?(_ url: URL) {
        guard let scheme = url.scheme?.lowercased(), let host = url.host(percentEncoded: true)?.lowercased() else {
            return nil
        }
        self.scheme = scheme
        self.host = host
        port = url.port ?? (scheme == "https" ? 443 : 80)
    }

    /// Whether nobody on a network can eavesdrop: TLS, or this machine.
    var isPrivate: Bool { scheme == "https" || isLoopback }

    var isLoopback: Bool {
        host == "localhost" || host == "::1" || host == "[::1]"
            || host.hasPrefix("127.") && host.allSatisfy { $0.isNumber || $0 == "." }
    }
}
