import FileProviding

extension ConnectionOperation {
    /// What a directory holds as far as it is known here, by paths relative to it.
    public struct KnownContents: Hashable, Sendable {
        /// A file or link in the version that is known, a directory in none.
        public struct Entry: Hashable, Sendable {
            /// What it is.
            public var type: FileObjectType
            /// The version that is known.
            public var version: FileVersion

            /// An entry known by these marks.
            public init(type: FileObjectType, version: FileVersion = FileVersion()) {
                self.type = type
                self.version = version
            }
        }

        /// Everything below the directory that is known.
        public var entries: [ItemPath: Entry]
        /// Directories among them into which nobody has looked: whatever is in them counts as known.
        public var unseen: Set<ItemPath>

        /// These entries, and those directories.
        public init(entries: [ItemPath: Entry] = [:], unseen: Set<ItemPath> = []) {
            self.entries = entries
            self.unseen = unseen
        }

        /// Whether an item below the directory is known just so.
        ///
        /// - Parameters:
        ///   - item: what the server has there.
        ///   - path: relative to the directory.
        public func holds(_ item: FileObject, at path: ItemPath) -> Bool {
            if let entry = entries[path.asItem] {
                return entry.type == item.type && (item.isDirectory || entry.version.matches(item))
            }
            var above = path.parent
            while let directory = above, !directory.isRoot {
                if unseen.contains(directory.asItem) { return true }
                above = directory.parent
            }
            return false
        }
    }
}
