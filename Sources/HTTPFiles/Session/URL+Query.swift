import FileProviding
import Foundation

extension URL {
    /// Returns the URL with another query item: `?name` or `?name=value`.
    ///
    /// Everything but unreserved characters and slashes is percent-encoded (RFC 3986, section 2.3), also the `+` and
    /// `;` that `appending(queryItems:)` leaves: many servers read them as a space and as the end of the item.
    public func appendingQuery(_ name: String, _ value: String? = nil) -> URL {
        appendingQuery(name, bytes: value.map { Array($0.utf8) })
    }

    /// Returns the URL with `?name=/path`, where the path's bytes are percent-encoded once, whether or not they are
    /// UTF-8.
    public func appendingQuery(_ name: String, _ path: ItemPath) -> URL {
        appendingQuery(name, bytes: (path.isIdentifier ? [] : [UInt8(ascii: "/")]) + path.bytes)
    }

    private func appendingQuery(_ name: String, bytes: [UInt8]?) -> URL {
        guard var parts = URLComponents(url: self, resolvingAgainstBaseURL: true) else { return self }
        let item = [Array(name.utf8), bytes].compactMap { $0?.percentEncoded }.joined(separator: "=")
        parts.percentEncodedQuery = parts.percentEncodedQuery.map { "\($0)&\(item)" } ?? item
        return parts.url ?? self
    }
}
