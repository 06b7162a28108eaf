/// The number of items in a directory tree, and their size.
package struct TreeExtent: Sendable, Hashable {
    /// Items of any kind.
    package var items: Int
    /// The items among them that are not directories.
    package var files = 0
    /// The total size of the files, in bytes; if there are many, only of the first ones.
    package var bytes: Int64
    /// Whether the tree holds anything other than files, directories and links, or one of our temporary files.
    package var holdsOthers = false

    /// Creates an extent.
    package init(items: Int = 0, bytes: Int64 = 0) { (self.items, self.bytes) = (items, bytes) }
}

/// A storage that can measure a directory tree much faster than it can copy it.
package protocol TreeMeasuring: FileProvider {
    /// Measures a directory tree without following links.
    ///
    /// - Parameter most: measuring stops as soon as the extent exceeds this, or ``TreeExtent/holdsOthers`` is true.
    func extent(ofTree path: ItemPath, upTo most: TreeExtent) async throws -> TreeExtent
}
