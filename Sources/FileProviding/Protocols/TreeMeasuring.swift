/// How much a directory holds, with everything below it.
package struct TreeExtent: Sendable, Hashable {
    /// Items of any kind.
    package var items: Int
    /// The items among them that are not directories.
    package var files = 0
    /// The sizes of files, of many those of the first ones alone.
    package var bytes: Int64
    /// Whether anything is neither file, directory nor link, or a file of ours on its way.
    package var holdsOthers = false

    /// So much.
    package init(items: Int = 0, bytes: Int64 = 0) { (self.items, self.bytes) = (items, bytes) }
}

/// A storage that tells how much a directory holds in far less time than it takes to copy that.
package protocol TreeMeasuring: FileProvider {
    /// How much a directory holds, links not followed.
    ///
    /// - Parameter most: when there is more, or anything else, the rest is not looked at.
    func extent(ofTree path: ItemPath, upTo most: TreeExtent) async throws -> TreeExtent
}
