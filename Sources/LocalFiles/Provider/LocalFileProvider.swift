import FileProviding
import Foundation

/// The files of this machine below one directory.
///
/// Nothing outside the root is reached, neither through `..` nor through a symbolic link, not even through one that is
/// created in the middle of an operation. Links within the root are followed on the way to an item and for reading, but
/// not for changing: a write, move or removal affects the link itself. A link that leads out of the root, or is
/// absolute, is refused with "permission denied"; with `/` as the root no link leads out.
///
/// Files appear under their names complete or not at all. A file that was being written when the program was killed has
/// a hidden name that begins with `.fp-`, if it has one at all.
///
/// Needs `/proc`. A tree can be listed and removed to a depth of a few less than the number of files that the process
/// may have open, and copied to half that depth.
public final class LocalFileProvider: Sendable {
    /// `"Local"`.
    public static let type = "Local"

    /// The delegates, queues, logger and registrations.
    public let context = FileProviderContext()
    /// The operations that can be undone; a copy of the provider starts with none.
    public let undoHistory = UndoHistory()
    /// The generators of thumbnails and readers of metadata.
    public let information: LocalFileInformationGenerator
    let root: LocalRoot
    let trash: LocalTrash
    /// The characteristics of each file system that was examined.
    let knownFileSystems = Locked<[FileSystemIdentity: ProviderCharacteristics]>([:])

    /// Creates a provider of the directory `root`.
    ///
    /// - Parameters:
    ///   - root: an existing directory; a link to one is followed, once.
    ///   - trash: the folder of the home trash; by default the one in the home directory from the user database. Items
    ///     of other file systems go to their own trash.
    ///   - information: the generators of thumbnails and readers of metadata.
    /// - Throws: `.fileReadNoSuchFile`; "not a directory"; `.fileReadNoPermission`.
    public convenience init(
        root: LocalPath, trash: LocalPath? = nil, information: LocalFileInformationGenerator = .standard
    ) throws {
        try self.init(opening: Configuration(root: root, trash: trash), information: information)
    }

    /// Creates a provider of the directory that a `file:` URL names. Names that are not UTF-8 may be percent-encoded.
    ///
    /// - Throws: `URLError(.badURL)` for any other URL; otherwise as the initializer with a path.
    public convenience init(baseURL: URL) throws {
        try self.init(root: Self.localPath(of: baseURL))
    }

    /// Creates a provider that resolves paths in a certain way, whatever this machine supports.
    package convenience init(root: LocalPath, resolution: PathResolution) throws {
        let root = try about(.root) { try LocalRoot(root, resolution: resolution) }
        self.init(root: root, trash: LocalTrash(configured: nil))
    }

    init(root: LocalRoot, trash: LocalTrash, information: LocalFileInformationGenerator = .standard) {
        self.root = root
        self.trash = trash
        self.information = information
    }
}

extension LocalFileProvider: FileProvider {
    /// This machine, and the root's path when it was opened.
    public var identity: ProviderIdentity {
        ProviderIdentity(type: Self.type, root: ItemPath(unchecked: Array(root.path.bytes.dropFirst())))
    }

    /// The root's `file:` URL, in which names that are not UTF-8 are percent-encoded.
    public var baseURL: URL? { URL(string: "file:///" + identity.root.percentEncoded) }

    /// Returns a provider that shares the open root.
    public func copy() -> Self { Self(root: root, trash: trash, information: information) }
}
