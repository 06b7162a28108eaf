import FileProviding
import Foundation

/// The files of this machine below one directory.
///
/// Nothing outside the root is reached, through no `..` and no symbolic link, also not through one that is put in place
/// in the middle of an operation. Links within the root are followed on the way to an item and for reading, not for
/// changing: a write, move or removal is about the link itself. A link that leads out of the root, or is absolute, is
/// refused with "permission denied"; with `/` as the root no link leads out.
///
/// Files appear under their names complete or not at all. What was being written when the program was killed has a hidden
/// name that begins with `.fp-`, if it has one at all.
///
/// Needs `/proc`. A tree as deep as the process may have open files, less a few, can be listed and removed, half as deep
/// copied.
public final class LocalFileProvider: Sendable {
    public static let type = "Local"

    public let context = FileProviderContext()
    public let undoHistory = UndoHistory()
    let root: LocalRoot
    let trash: LocalTrash

    /// A provider of the directory `root`.
    ///
    /// - Parameters:
    ///   - root: an existing directory; a link to one is followed, once.
    ///   - trash: the folder of the home trash; by default the one in the home directory that the user database names.
    ///     Items of other file systems go to their own trash.
    /// - Throws: `.fileReadNoSuchFile`; "not a directory"; `.fileReadNoPermission`.
    public convenience init(root: LocalPath, trash: LocalPath? = nil) throws {
        try self.init(configuration: Configuration(root: root, trash: trash))
    }

    /// A provider of the directory that a `file:` URL names. Names that are not UTF-8 may be percent-encoded.
    ///
    /// - Throws: `URLError(.badURL)` for any other URL; else as ``init(root:trash:)``.
    public convenience init(baseURL: URL) throws {
        try self.init(root: Self.localPath(of: baseURL))
    }

    package convenience init(root: LocalPath, resolution: PathResolution) throws {
        try self.init(root: about(.root) { try LocalRoot(root, resolution: resolution) }, trash: LocalTrash(configured: nil))
    }

    init(root: LocalRoot, trash: LocalTrash) {
        self.root = root
        self.trash = trash
    }
}

extension LocalFileProvider: FileProvider {
    public var identity: ProviderIdentity {
        ProviderIdentity(type: Self.type, root: ItemPath(unchecked: Array(root.path.bytes.dropFirst())))
    }

    public var baseURL: URL? { URL(string: "file:///" + identity.root.percentEncoded) }

    public func copy() -> Self { Self(root: root, trash: trash) }
}
