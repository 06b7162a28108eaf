import FileProviding
import Foundation

/// The next step of a redirection, by rules that protect credentials and meaning (RFC 9110, section 15.4).
///
/// - 301, 302, 303: followed if the request changes nothing, 303 with GET; otherwise the reply is for the caller to
///   judge: a page that can be read does not mean that anything was done.
/// - 307, 308: followed with the same method, if the body can be sent again.
/// - Never from https to http; but if a server behind a proxy does not know its public address, only the slash that it
///   adds to a directory's path is adopted. To another origin only fields about content, conditions and ranges are
///   sent: no credential, cookie or key. Nor are those restored on the way back.
struct Redirection {
    private var visited: Set<String> = []
    /// The start of the chain, as long as every step of it was permanent.
    private(set) var permanentOrigin: URL?

    static func isRedirect(_ status: Int) -> Bool { [301, 302, 303, 307, 308].contains(status) }

    /// Returns the request to send next, or `nil` when the reply is for the caller.
    ///
    /// - Throws: `URLError` for a loop, too many redirections, or a target that cannot or must not be used.
    mutating func next(after response: HTTPResponse, to request: HTTPRequest, limit: Int) throws -> HTTPRequest? {
        guard limit > 0, Self.isRedirect(response.status), let location = response.headers["Location"] else {
            return nil
        }
        guard var next = repeated(request, status: response.status) else { return nil }
        guard let named = URL(string: location, relativeTo: response.url)?.absoluteURL,
            case let target = slashed(response.url, as: named) ?? named, let there = Origin(target),
            ["http", "https"].contains(there.scheme), target.user(percentEncoded: true) == nil
        else {
            throw urlError(response.url, code: .redirectToNonExistentLocation, reason: "not a usable address")
        }
        guard let here = Origin(response.url), here.scheme != "https" || there.scheme == "https" else {
            throw urlError(response.url, code: .redirectToNonExistentLocation, reason: "from https to http")
        }
        let isPermanent = [301, 308].contains(response.status)
        permanentOrigin = !isPermanent ? nil : visited.isEmpty ? response.url : permanentOrigin
        visited.insert(step(request.method, response.url))
        guard !visited.contains(step(next.method, target)) else {
            throw urlError(response.url, code: .httpTooManyRedirects, reason: "they form a loop")
        }
        guard visited.count <= limit else { throw urlError(response.url, code: .httpTooManyRedirects) }
        next.url = target
        if there != here {
            next.sendsCredential = false
            for field in next.headers where !Self.isForAnyone(field.name) { next.headers.remove(field.name) }
        }
        return next
    }

    /// Returns whether a field is about content, conditions or ranges, which any server may see; others may be secret
    /// keys.
    private static func isForAnyone(_ name: String) -> Bool {
        let name = name.lowercased()
        return ["accept", "depth", "destination", "if", "overwrite", "range", "user-agent", "x-update-range"].contains(
            name)
            || ["accept-", "content-", "if-", "oc-", "tus-", "upload-", "x-oc-"].contains { name.hasPrefix($0) }
    }

    /// Returns the address with a trailing slash, if an address of another origin differs in nothing else. A server
    /// that has really moved will redirect again.
    private func slashed(_ url: URL, as other: URL) -> URL? {
        let path = url.path(percentEncoded: true) + "/"
        // Servers escape names in different ways.
        guard Origin(url) != Origin(other), other.query() == url.query(),
            other.path(percentEncoded: true).hasSuffix("/"),
            let (mine, theirs) = try? (
                ItemPath(percentEncoded: path), ItemPath(percentEncoded: other.path(percentEncoded: true))
            ), mine == theirs,
            var parts = URLComponents(url: url, resolvingAgainstBaseURL: true)
        else { return nil }
        parts.percentEncodedPath = path
        return parts.url
    }

    private func repeated(_ request: HTTPRequest, status: Int) -> HTTPRequest? {
        switch status {
        case 307, 308: break
        case 303 where request.method.isReading:
            var next = request
            if request.method != .head { next.method = .get }
            next.body = .none
            next.headers.remove("Content-Type")
            return next
        default: guard request.method.isReading else { return nil }
        }
        return request.body.isReplayable ? request : nil
    }

    private func step(_ method: HTTPMethod, _ url: URL) -> String { "\(method) \(url.absoluteString)" }
}
