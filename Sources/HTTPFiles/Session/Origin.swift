import FileProviding
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
    var isPrivate: Bool { scheme == "https" || Loopback.contains(host) }
}

extension URL {
    /// The server as providers' identities name it: its host in lower case, a colon, and the port.
    package var authority: String {
        "\(host()?.lowercased() ?? ""):\(port ?? (scheme?.lowercased() == "https" ? 443 : 80))"
    }

    /// Returns an address of the server that this URL of another scheme names; `nil` if there is none.
    ///
    /// - Parameter path: the address's path, percent-encoded.
    package func onServer(_ scheme: String, path: String = "/") -> URL? {
        guard let host = host(percentEncoded: true), !host.isEmpty else { return nil }
        // Foundation takes the brackets off an IPv6 address (RFC 3986, section 3.2.2).
        let name = host.contains(":") ? "[\(host)]" : host
        return URL(string: "\(scheme)://\(name)\(port.map { ":\($0)" } ?? "")\(path)")
    }
}
