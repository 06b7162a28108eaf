import HTTPFiles

/// The ways to name the destination of a copy or move. Behind a proxy a server may mistake its own address, as clients
/// reach it, for another server's (400, 403 or 502; RFC 4918, section 9.8.5).
enum DestinationForm: CaseIterable {
    /// The whole address, as clients reach the server.
    case reached
    /// The same address with http: the proxy terminates TLS.
    case plain
    /// Only the path: the server knows itself by another name or port. RFC 4918 allows it (section 8.3), RFC 2518 did
    /// not.
    case path

    /// Returns the request with its addresses in this form; `nil` if that makes no difference.
    func applied(to request: HTTPRequest) -> HTTPRequest? {
        guard let destination = request.headers["Destination"], let origin = Self.origin(of: destination) else {
            return self == .reached ? request : nil
        }
        let other: String
        switch self {
        case .reached: return request
        case .plain where origin.hasPrefix("https:"): other = "http:" + origin.dropFirst("https:".count)
        case .plain: return nil
        case .path: other = ""
        }
        var request = request
        request.headers["Destination"] = other + destination.dropFirst(origin.count)
        request.headers["If"] = request.headers["If"]?.replacing("<\(origin)", with: "<\(other)")
        return request
    }

    /// Returns the `https://host:port` of an address.
    private static func origin(of address: String) -> Substring? {
        guard let scheme = address.firstRange(of: "://"),
            let path = address[scheme.upperBound...].firstIndex(of: "/")
        else { return nil }
        return address[..<path]
    }
}
