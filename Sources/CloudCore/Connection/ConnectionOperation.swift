import FileProviding

/// An operation that the ``Core`` has a connection carry out, with paths on the server.
///
/// `createsParents` says whether missing directories above the new item are created: those that the server is known to
/// have lost.
public indirect enum ConnectionOperation: Hashable, Sendable {
    /// Create a directory. An existing directory is fine, unless the directory has to be new, when it is "exists"; a
    /// file of that name is "exists".
    case createFolder(ItemPath, createsParents: Bool, mustBeNew: Bool)
    /// Send a file.
    case upload(Upload)
    /// Fetch a file's contents into a local file, which may already hold their beginning.
    case download(ItemPath, to: LocalPath, journal: LocalPath)
    /// Move or rename an item. Nothing is replaced.
    case move(KnownItem, to: ItemPath, createsParents: Bool)
    /// Copy an item; a directory with everything below it. Nothing is replaced. The result is "missing" if another item
    /// is at its path or, without identifiers, another version.
    case copy(KnownItem, to: ItemPath, createsParents: Bool)
    /// Set attributes of an item; a file only if it is in the known version. Those that are `nil` stay as they are.
    case update(KnownItem, ItemAttributes)
    /// Remove an item; a directory with everything below it. It is no error if the item is gone from its directory. If
    /// that directory is missing or is another one, the result is "missing". If a directory holds unknown items, the
    /// result is "changed".
    case delete(KnownItem)

    /// A file to send to the server.
    public struct Upload: Hashable, Sendable {
        /// The local file, which does not change during the upload.
        public var file: LocalPath
        /// The file's path on the server.
        public var path: ItemPath
        /// What has to be at that path.
        public var precondition: Precondition
        /// Whether missing directories above it are created, as for the other operations.
        public var createsParents: Bool
        /// When the contents last changed.
        public var modificationTime: FileTime?
        /// A private file that the connection may use to continue after an interruption; its folder exists. It is the
        /// same for every attempt, and is removed with the command. `nil` for a file that is too small to be worth it.
        public var journal: LocalPath?

        /// Creates an upload, for example in a test of a connection.
        public init(
            file: LocalPath, path: ItemPath, precondition: Precondition, createsParents: Bool = false,
            modificationTime: FileTime? = nil, journal: LocalPath? = nil
        ) {
            self.file = file
            self.path = path
            self.precondition = precondition
            self.createsParents = createsParents
            self.modificationTime = modificationTime
            self.journal = journal
        }
    }

    /// The condition at a path for writing something there.
    public enum Precondition: Hashable, Sendable {
        /// Nothing is there.
        case absent
        /// A file in this version is there.
        case version(FileVersion)
    }

    /// An item of the server as the vault knows it, so that another item at its path can be distinguished from it.
    public struct KnownItem: Hashable, Sendable {
        /// The expected path.
        public var path: ItemPath
        /// The item's type.
        public var type: FileObjectType
        /// The server's permanent identifier.
        public var fileID: String?
        /// The identifier of the directory that it should be in.
        public var parentID: String?
        /// The known version of a file; a deletion removes no other version, and attributes are set on no other.
        public var version: FileVersion?
        /// The known contents of a directory to be deleted; a deletion removes nothing else. `nil` for any contents.
        public var contents: KnownContents?

        /// Creates a known item.
        public init(
            path: ItemPath, type: FileObjectType, fileID: String? = nil, parentID: String? = nil,
            version: FileVersion? = nil, contents: KnownContents? = nil
        ) {
            self.path = path
            self.type = type
            self.fileID = fileID
            self.parentID = parentID
            self.version = version
            self.contents = contents
        }

        /// Returns whether an item of the server is this one: by identifier if both have one, otherwise by type.
        public func isSameItem(as file: FileObject) -> Bool {
            guard let fileID, let other = file.fileID else { return type == file.type }
            return fileID == other
        }
    }
}
