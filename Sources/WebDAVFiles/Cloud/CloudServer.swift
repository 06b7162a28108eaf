import FileProviding
import Foundation

/// A cloud server as one session sees it: product, capabilities, and the account's files and where they are.
struct CloudServer: Sendable, Hashable {
    let dialect: CloudDialect
    let capabilities: CloudCapabilities
    /// Where `status.php` is; ends with a slash.
    let installation: URL
    /// The account's identifier, which need not be the login name; empty where only the space matters.
    let user: String
    /// The identifier of the space that the provider's files are in, where there are spaces.
    let space: String?
    /// The home's root; ends with a slash.
    let home: URL

    /// Returns the URL of a resource of the installation that is not a file.
    ///
    /// - Parameter names: path segments, to be percent-encoded; an empty last one ends the path with a slash.
    func url(_ names: String..., query: [(String, String)] = []) -> URL {
        let path = names.map { ItemPath.encodedSegment($0) }.joined(separator: "/")
        let url = URL(string: installation.absoluteString + path) ?? installation
        return query.reduce(url) { $0.appendingQuery($1.0, $1.1) }
    }

    /// Returns whether a home is the one that this provider shows, not another account's or another space.
    func isHome(_ home: CloudAddress.Home) -> Bool {
        switch home {
        case .files(let name): name == user
        case .space(let id): id == space
        case .own: true
        }
    }

    /// Returns the URL of an item in the home, by the only address that the trash, versions and uploads accept as a
    /// destination: ``home`` may be another, such as `remote.php/webdav/`.
    func file(_ path: ItemPath) -> URL {
        let files = space.map { url("dav", "spaces", $0, "") } ?? url("remote.php", "dav", "files", user, "")
        return URL(string: files.absoluteString + path.percentEncoded) ?? files
    }

    /// The trash; ends with a slash.
    var trash: URL {
        switch dialect.trash {
        case .user: url("remote.php", "dav", "trash-bin", user, "")
        case .space: url("dav", "spaces", "trash-bin", space ?? user, "")
        case .restoreFolder: url("remote.php", "dav", "trashbin", user, "trash", "")
        }
    }

    /// How the server writes, taking its capabilities into account.
    var family: ServerFamily {
        var family = dialect.family
        family.partialWrite =
            capabilities.tusChunkLength.map { .tus(partLength: $0) } ?? (capabilities.takesChunks ? .chunks : nil)
        return family
    }
}

extension ItemPath {
    /// Returns one path segment or query value, percent-encoded as paths are.
    static func encodedSegment(_ text: String) -> String { Array(text.utf8).percentEncoded }
}
