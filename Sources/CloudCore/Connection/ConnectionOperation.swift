import FileProviding

/// What the ``Core`` asks a connection to do, by the paths that the server knows.
///
/// `createsParents` says whether missing directories above the new item are made: those of which it is known that the server
/// has lost them.
public enum ConnectionOperation: Hashable, Sendable {
    /// Make a directory. One that is there already is fine, or "exists" where it has to be new; a file of that name is "exists".
    case createFolder(ItemPath, createsParents: Bool, mustBeNew: Bool)
    /// Send a file.
    case upload(Upload)
    /// Fetch a file's contents into a file of this machine, which may hold their beginning already.
    case download(ItemPath, to: LocalPath, journal: LocalPath)
    /// Give an item another place. Nothing is replaced.
    case move(KnownItem, to: ItemPath, createsParents: Bool)
    /// Copy an item, a directory with everything below it. Nothing is replaced.
    case copy(KnownItem, to: ItemPath, createsParents: Bool)
    /// Give an item other attributes, while a file is in the version that is known. What is `nil` stays as it is.
    case update(KnownItem, ItemAttributes)
    /// Remove an item, a directory with everything below it. One that is gone already is fine; one that holds anything else than
    /// is known has changed.
    case delete(KnownItem)

    /// A file on its way to the server.
    public struct Upload: Hashable, Sendable {
        /// The file to be sent, which does not change meanwhile.
        public var file: LocalPath
        /// What it becomes.
        public var path: ItemPath
        /// What has to be there for that.
        public var precondition: Precondition
        /// Whether missing directories above it are made, as for the other operations.
        public var createsParents: Bool
        /// When the contents last changed.
        public var modificationTime: FileTime?
        /// A private file that the connection may keep to continue after an interruption; its folder exists. It is the same
        /// for every attempt, and removed with the command. `nil` for a file that is too small to be worth it.
        public var journal: LocalPath?
    }

    /// What has to be at a path for something to be written there.
    public enum Precondition: Hashable, Sendable {
        /// Nothing.
        case absent
        /// A file in this version.
        case version(FileVersion)
    }

    /// An item of the server as the vault knows it, so that another one at its path is told apart.
    public struct KnownItem: Hashable, Sendable {
        /// Where it should be.
        public var path: ItemPath
        /// What it is.
        public var type: FileObjectType
        /// The server's permanent identifier.
        public var fileID: String?
        /// The version of a file that is known here; a deletion takes no other, nor do attributes go to any other.
        public var version: FileVersion?
        /// What a directory holds that is to be deleted; a deletion takes nothing else. `nil` for whatever there is.
        public var contents: KnownContents?

        /// An item known by these marks.
        public init(path: ItemPath, type: FileObjectType, fileID: String? = nil, version: FileVersion? = nil) {
            self.path = path
            self.type = type
            self.fileID = fileID
            self.version = version
        }

        /// Whether an item of the server is this one: by identifier where both have one, else by type.
        public func isSameItem(as file: FileObject) -> Bool {
            guard let fileID, let other = file.fileID else { return type == file.type }
            return fileID == other
        }
    }
}
