import FileProviding
import Foundation

/// A cloud server as one session sees it: product, capabilities, whose files, and where.
struct CloudServer: Sendable, Hashable {
    let dialect: CloudDialect
    let capabilities: CloudCapabilities
    /// Where `status.php` is; ends with a slash.
    let installation: URL
    /// The account's identifier, which need not be the name it logs in with; empty where only the space matters.
    let user: String
    /// The identifier of the space that the provider's files are in, where there are spaces.
    let space: String?
    /// The home's root; ends with a slash.
    let home: URL

    /// A resource of the installation that is no file.
    ///
    /// - Parameter names: path segments, to be percent-encoded; an empty last one ends the path with a slash.
    func url(_ names: String..., query: [(String, String)] = []) -> URL {
        let path = names.map { ItemPath.encodedSegment($0) }.joined(separator: "/")
        let fields = query.map { "\($0)=\(ItemPath.encodedSegment($1))" }.joined(separator: "&")
        return URL(string: installation.absoluteString + path + (fields.isEmpty ? "" : "?" + fields)) ?? installation
    }

    /// Whether a reply is about what the provider shows, and not about another account's files or another space.
    func isHome(_ home: CloudAddress.Home) -> Bool {
        switch home {
        case .files(let name): name == user
        case .space(let id): id == space
        case .own: true
        }
    }

    /// The trash; ends with a slash.
    var trash: URL {
        switch dialect.trash {
        case .user: url("remote.php", "dav", "trash-bin", user, "")
        case .space: url("dav", "spaces", "trash-bin", space ?? user, "")
        case .restoreFolder: url("remote.php", "dav", "trashbin", user, "trash", "")
        }
    }

    /// How the server writes, as far as its capabilities decide that.
    var family: ServerFamily {
        var family = dialect.family
        family.partialWrite =
            capabilities.tusChunkLength.map { .tus(partLength: $0) } ?? (capabilities.takesChunks ? .chunks : nil)
        return family
    }
}

extension ItemPath {
    /// One path segment or query value, percent-encoded as paths are.
    static func encodedSegment(_ text: String) -> String { ItemPath(unchecked: Array(text.utf8)).percentEncoded }
}
