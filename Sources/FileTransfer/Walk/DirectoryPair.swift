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
    /// Where links are followed: where the source is by no link.
    var real: ItemPath?
    /// Where links are followed: where the directories above are by no link. One that is among them would have no end.
    var above: [ItemPath] = []
    /// Whether no directory below is tried in one operation: one that it is in failed, or a server's was in vain.
    var isInPieces = false
    /// Within one storage: the targets of the directories above it that may be found in the source, by their identifiers.
    var targets: Set<String> = []
}
