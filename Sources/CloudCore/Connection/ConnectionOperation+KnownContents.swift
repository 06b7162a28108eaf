import FileProviding

extension ConnectionOperation {
    /// The known contents of a directory, by paths relative to it.
    public struct KnownContents: Hashable, Sendable {
        /// A file or link in the known version, or a directory, which has none.
        public struct Entry: Hashable, Sendable {
            /// The entry's type.
            public var type: FileObjectType
            /// The known version.
            public var version: FileVersion

            /// Creates an entry.
            public init(type: FileObjectType, version: FileVersion = FileVersion()) {
                self.type = type
                self.version = version
            }
        }

        /// All known entries below the directory.
        public var entries: [ItemPath: Entry]
        /// The directories, among them or the root for the directory itself, whose contents are unknown: anything in
        /// them counts as known, except files that are newer than the removal.
        public var unseen: Set<ItemPath>
        /// When the directory was removed, by this machine's clock.
        public var removedAt: FileTime?

        /// Creates contents.
        public init(
            entries: [ItemPath: Entry] = [:], unseen: Set<ItemPath> = [], removedAt: FileTime? = nil
        ) {
            self.entries = entries
            self.unseen = unseen
            self.removedAt = removedAt
        }

        /// Returns whether an item below the directory is known in exactly this version.
        ///
        /// - Parameters:
        ///   - item: the server's item.
        ///   - path: its path relative to the directory.
        public func holds(_ item: FileObject, at path: ItemPath) -> Bool {
            if let entry = entries[path.asItem] {
                return entry.type == item.type && (item.isDirectory || entry.version.matches(item))
            }
            var above = path.parent
            while let directory = above {
                if unseen.contains(directory.asItem) { return !isNew(item) }
                above = directory.parent
            }
            return false
        }

        private func isNew(_ item: FileObject) -> Bool {
            guard let removedAt, let time = item.modificationTime, !item.isDirectory else { return false }
            // Many storages keep whole seconds.
            return time.subsecond == 0 ? time.seconds >= removedAt.seconds : time > removedAt
        }
    }
}
