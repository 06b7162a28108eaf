/// The addresses by which a machine reaches itself (RFC 6761, section 6.3; RFC 1122, section 3.2.1.3; RFC 4291, section
/// 2.5.3).
package enum Loopback {
    /// Returns whether a URL's host is such an address, whatever a name server would say.
    package static func contains(_ host: String) -> Bool {
        let host = host.lowercased()
        return host == "localhost" || host == "::1" || host == "[::1]"
            || host.hasPrefix("127.") && host.allSatisfy { $0.isNumber || $0 == "." }
    }
}
