import FileProviding
import Foundation

/// The location of an account's files on an ownCloud, Nextcloud or OpenCloud, derived from a URL's path alone.
///
/// `…/remote.php/dav/files/USER/…`, `…/remote.php/webdav/…`, `…/remote.php/dav/spaces/ID/…` and `…/dav/spaces/ID/…`;
/// what comes before is the installation.
struct CloudAddress: Sendable, Hashable {
    /// The owner of the root.
    enum Home: Sendable, Hashable {
        /// The files of an account, by its identifier.
        case files(user: String)
        /// A space, by its identifier.
        case space(id: String)
        /// The files of the account that makes the request.
        case own
    }

    let home: Home
    /// Where `status.php` is: a percent-encoded path that ends with a slash.
    let installation: String
    /// Where the home's root is: a percent-encoded path that ends with a slash.
    let root: String
    /// The part of the URL below the home's root.
    let path: ItemPath

    /// - Returns: `nil` for a path of another shape.
    init?(_ url: URL) {
        let segments = url.path(percentEncoded: true).split(separator: "/").map(String.init)
        guard let (start, count, home) = Self.find(segments),
            let path = try? ItemPath(percentEncoded: segments[(start + count)...].joined(separator: "/"))
        else { return nil }
        self.home = home
        self.path = path
        installation = "/" + segments[..<start].map { $0 + "/" }.joined()
        root = installation + segments[start..<(start + count)].map { $0 + "/" }.joined()
    }

    /// Returns where the pattern begins, how many segments long it is, and what it means.
    private static func find(_ segments: [String]) -> (start: Int, count: Int, home: Home)? {
        for (start, segment) in segments.enumerated() {
            let rest = segments[start...].map { $0.removingPercentEncoding ?? $0 }
            if segment == "remote.php", rest.count >= 2, rest[1] == "webdav" { return (start, 2, .own) }
            let prefix = segment == "remote.php" ? 1 : 0
            guard rest.count >= prefix + 3, rest[prefix] == "dav" else { continue }
            let name = rest[prefix + 2]
            if rest[prefix + 1] == "files", prefix == 1 { return (start, 4, .files(user: name)) }
            // A space's identifier contains a dollar sign; a plain server's folder seldom does.
            if rest[prefix + 1] == "spaces", name != "trash-bin", prefix == 1 || name.contains("$") {
                return (start, prefix + 3, .space(id: name))
            }
        }
        return nil
    }

    /// Returns whether a URL could be the root of somebody's files: removing it permanently removes all files of the
    /// account or the space.
    static func mayBeHome(_ url: URL) -> Bool {
        if let address = CloudAddress(url) { return address.path.isRoot }
        let segments = url.path(percentEncoded: false).split(separator: "/")
        return segments.count == 3 && segments[0] == "dav" && ["files", "spaces"].contains(segments[1])
    }
}
