import Foundation

/// A provider that conforms to protocols for changing storage but refuses every change with `.featureUnsupported`,
/// whatever the server.
///
/// A marker protocol: lets an app hide what would be refused.
public protocol ReadOnlyFileProvider: FileProviderBasic {}

/// A provider with a trash: removed items can be listed, restored and permanently removed.
public protocol TrashProvider: FileProviderOperations {
    /// Returns the items in the trash, newest first.
    func trashedItems() async throws -> [TrashedItem]
    /// Moves an item to the trash and returns the trashed item, which undo needs.
    func trash(path: ItemPath) async throws -> TrashedItem
    /// Restores an item to where it was, or to `path`. Throws `.fileWriteFileExists` when an item is there.
    func restore(_ item: TrashedItem, to path: ItemPath?) async throws
    /// Permanently removes one item from the trash, or with `nil` all of them.
    func emptyTrash(_ item: TrashedItem?) async throws
}

/// An item in a trash.
public struct TrashedItem: Hashable, Sendable, Codable {
    /// The trash's own identifier of the item.
    public var id: String
    /// Where the item was, if the trash records it.
    public var originalPath: ItemPath?
    /// When the item was removed.
    public var deletionDate: Date?
    /// The size in bytes.
    public var size: Int64?

    /// Creates an item as the trash describes it.
    public init(id: String, originalPath: ItemPath?, deletionDate: Date? = nil, size: Int64? = nil) {
        self.id = id
        self.originalPath = originalPath
        self.deletionDate = deletionDate
        self.size = size
    }
}

/// A provider that keeps earlier versions of files.
public protocol VersionProvider: FileProviderReadWrite {
    /// Returns the earlier versions of a file, newest first, without the current one.
    func versions(path: ItemPath) async throws -> [FileVersionRecord]
    /// Opens an earlier version for reading.
    func read(_ version: FileVersionRecord, of path: ItemPath, in context: OperationContext) async throws
        -> FileContents
    /// Makes an earlier version the current one; the version that was current becomes an earlier one.
    func restore(_ version: FileVersionRecord, of path: ItemPath) async throws
}

/// An earlier version of a file.
public struct FileVersionRecord: Hashable, Sendable, Codable {
    /// The storage's own identifier of the version.
    public var id: String
    /// The size in bytes.
    public var size: Int64?
    /// When this version was written.
    public var modificationTime: FileTime?

    /// Creates a version as the storage describes it.
    public init(id: String, size: Int64? = nil, modificationTime: FileTime? = nil) {
        self.id = id
        self.size = size
        self.modificationTime = modificationTime
    }
}

/// A provider whose server keeps an index of names, so that a search need not look at each item.
public protocol IndexedSearchProvider: FileProviderBasic {
    /// Returns the items below a directory, at any depth, that match a query according to the server's index, which may
    /// lag some seconds; in no particular order.
    ///
    /// - Returns: `nil` where the index cannot answer this query, or the answer would be too long:
    ///   `search(path:recursive:query:)` then searches on its own.
    func indexedItems(below path: ItemPath, query: FileQuery) async throws -> [FileObject]?
}

/// A provider on which users mark items as favorites.
public protocol FavoriteProvider: FileProviderBasic {
    /// Returns the favorites anywhere below a directory, in no particular order.
    func favorites(below path: ItemPath) async throws -> [FileObject]
    /// Marks an item as a favorite, or removes the mark. It is no error when the item is already in the requested
    /// state.
    func setFavorite(_ isFavorite: Bool, path: ItemPath) async throws
}

/// A provider that offers several trees ("drives", "spaces") to one account.
public protocol SpaceProvider: FileProviderBasic {
    /// Returns the trees that the account can see.
    func spaces() async throws -> [StorageSpace]
    /// Returns a provider of one of these trees, over the same session.
    func provider(for space: StorageSpace) throws -> Self
}

/// A separate tree on a server: a personal, project or shared one.
public struct StorageSpace: Hashable, Sendable, Codable {
    /// The server's identifier.
    public var id: String
    /// The display name.
    public var name: String
    /// `personal`, `project`, `share` or whatever else the server calls it.
    public var kind: String
    /// The URL of the space's root.
    public var url: URL?

    /// Creates a space as the server describes it.
    public init(id: String, name: String, kind: String, url: URL? = nil) {
        self.id = id
        self.name = name
        self.kind = kind
        self.url = url
    }
}

/// A provider that knows files' hashes without transferring their bytes.
public protocol ChecksumProvider: FileProviderBasic {
    /// The hash algorithms it can report, best first.
    var checksumAlgorithms: [Checksum.Algorithm] { get }
    /// Returns a file's hash without transferring its bytes, or `nil` when the storage does not know this one.
    func checksum(path: ItemPath, algorithm: Checksum.Algorithm) async throws -> Checksum?
}

/// A provider whose directories have a token that changes when their contents do.
public protocol ChangeTokenProvider: FileProviderBasic {
    /// Returns the directory's current token.
    ///
    /// - Throws: `.featureUnsupported` where this server's directories have none.
    func changeToken(path: ItemPath) async throws -> ChangeToken
}

/// A directory's state: a different token means that something changed.
public struct ChangeToken: Hashable, Sendable, Codable {
    /// The token's value, which is only good for comparing.
    public var value: String
    /// Whether a change anywhere below the directory changes the token too; otherwise only a change of the directory's
    /// own entries does.
    public var propagates: Bool

    /// Creates a token from the value that the storage gave.
    public init(value: String, propagates: Bool) {
        self.value = value
        self.propagates = propagates
    }
}
