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
    /// `"Local"`.
    public static let type = "Local"

    /// Delegates, queues and logger.
    public let context = FileProviderContext()
    /// What can be taken back; a copy of the provider begins with nothing.
    public let undoHistory = UndoHistory()
    /// Who makes thumbnails and reads what is written inside of files.
    public let information: LocalFileInformationGenerator
    let root: LocalRoot
    let trash: LocalTrash
    /// What each mounted file system can do, by the mount's number.
    let knownFileSystems = Locked<[UInt64: ProviderCharacteristics]>([:])

    /// A provider of the directory `root`.
    ///
    /// - Parameters:
    ///   - root: an existing directory; a link to one is followed, once.
    ///   - trash: the folder of the home trash; by default the one in the home directory that the user database names.
    ///     Items of other file systems go to their own trash.
    ///   - information: who makes thumbnails and reads what is written inside of files.
    /// - Throws: `.fileReadNoSuchFile`; "not a directory"; `.fileReadNoPermission`.
    public convenience init(
        root: LocalPath, trash: LocalPath? = nil, information: LocalFileInformationGenerator = .standard
    ) throws {
        try self.init(opening: Configuration(root: root, trash: trash), information: information)
    }

    /// A provider of the directory that a `file:` URL names. Names that are not UTF-8 may be percent-encoded.
    ///
    /// - Throws: `URLError(.badURL)` for any other URL; else as the form with a path.
    public convenience init(baseURL: URL) throws {
        try self.init(root: Self.localPath(of: baseURL))
    }

    /// A provider that resolves paths in a certain way, whatever this machine offers.
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
    /// This machine, and where the root was when it was opened.
    public var identity: ProviderIdentity {
        ProviderIdentity(type: Self.type, root: ItemPath(unchecked: Array(root.path.bytes.dropFirst())))
    }

    /// The root's `file:` URL, in which names that are not UTF-8 are percent-encoded.
    public var baseURL: URL? { URL(string: "file:///" + identity.root.percentEncoded) }

    /// Shares the open root.
    public func copy() -> Self { Self(root: root, trash: trash, information: information) }
}
