import FileProviding

/// A source directory and its target.
struct DirectoryPair: Sendable {
    var source: ItemPath
    var target: ItemPath
    var existing: FileObject?
    /// The source's permissions, if it has any.
    var permissions: UInt16?
    /// The source's modification time, if it reports one.
    var modificationTime: FileTime?
    /// If links are followed: the source's path without links.
    var real: ItemPath?
    /// If links are followed: the link-free paths of the directories above. A link to one of them would make the walk
    /// endless.
    var above: [ItemPath] = []
    /// Whether directories below are not copied whole, because that failed for a directory above or the destination is
    /// not local.
    var isInPieces = false
    /// Within one storage: identifiers of target directories above, which a walk of the source may come across.
    var targets: Set<String> = []
}
