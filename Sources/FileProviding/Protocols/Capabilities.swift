import Foundation

/// A provider that conforms to what changes storage and refuses all of it with `.featureUnsupported`, whatever the server.
///
/// A mark without members: nothing would work that is not tried, but nobody need be offered it.
public protocol ReadOnlyFileProvider: FileProviderBasic {}

/// A provider with a trash: removed items can be listed, brought back and removed for good.
public protocol TrashProvider: FileProviderOperations {
    /// What is in the trash, newest first.
    func trashedItems() async throws -> [TrashedItem]
    /// Moves an item to the trash and says what it became, for undoing.
    func trash(path: ItemPath) async throws -> TrashedItem
    /// Puts an item back where it was, or at `path`. An item there is `.fileWriteFileExists`.
    func restore(_ item: TrashedItem, to path: ItemPath?) async throws
    /// Removes one item for good, or all with `nil`.
    func emptyTrash(_ item: TrashedItem?) async throws
}

/// An item in a trash.
public struct TrashedItem: Hashable, Sendable, Codable {
    /// The trash's own name for it.
    public var id: String
    /// Where it was, where the trash remembers.
    public var originalPath: ItemPath?
    /// When it was removed.
    public var deletionDate: Date?
    /// The size in bytes.
    public var size: Int64?

    /// An item as the trash describes it.
    public init(id: String, originalPath: ItemPath?, deletionDate: Date? = nil, size: Int64? = nil) {
        self.id = id
        self.originalPath = originalPath
        self.deletionDate = deletionDate
        self.size = size
    }
}

/// A provider that keeps earlier versions of files.
public protocol VersionProvider: FileProviderReadWrite {
    /// The earlier versions of a file, newest first, without the present one.
    func versions(path: ItemPath) async throws -> [FileVersionRecord]
    /// The contents of an earlier version.
    func read(_ version: FileVersionRecord, of path: ItemPath, in context: OperationContext) async throws
        -> FileContents
    /// Makes an earlier version the present one; the present one becomes an earlier version.
    func restore(_ version: FileVersionRecord, of path: ItemPath) async throws
}

/// An earlier version of a file.
public struct FileVersionRecord: Hashable, Sendable, Codable {
    /// The storage's own name for it.
    public var id: String
    /// The size in bytes.
    public var size: Int64?
    /// When this version was written.
    public var modificationTime: FileTime?

    /// A version as the storage describes it.
    public init(id: String, size: Int64? = nil, modificationTime: FileTime? = nil) {
        self.id = id
        self.size = size
        self.modificationTime = modificationTime
    }
}

/// A provider whose server keeps an index of names, so that it can be asked without looking at each item.
public protocol IndexedSearchProvider: FileProviderBasic {
    /// What holds for a query, anywhere below a directory, as the server's index says, which may be some seconds behind; in
    /// no particular order.
    ///
    /// - Returns: `nil` where the index does not tell this, or too much at once: `search(path:recursive:query:)` looks for
    ///   itself then.
    func indexedItems(below path: ItemPath, query: FileQuery) async throws -> [FileObject]?
}

/// A provider on which people mark the items that matter to them.
public protocol FavoriteProvider: FileProviderBasic {
    /// The marked items anywhere below a directory, in no particular order.
    func favorites(below path: ItemPath) async throws -> [FileObject]
    /// Marks an item, or takes its mark away; done already is fine.
    func setFavorite(_ isFavorite: Bool, path: ItemPath) async throws
}

/// A provider that offers several trees ("drives", "spaces") to one account.
public protocol SpaceProvider: FileProviderBasic {
    /// The trees that the account can see.
    func spaces() async throws -> [StorageSpace]
    /// A provider of one of them, over the same session.
    func provider(for space: StorageSpace) throws -> Self
}

/// A tree of its own on a server: a personal, project or shared one.
public struct StorageSpace: Hashable, Sendable, Codable {
    /// The server's identifier.
    public var id: String
    /// The name for people.
    public var name: String
    /// `personal`, `project`, `share` or what else the server calls it.
    public var kind: String
    /// Where its root is reached.
    public var url: URL?

    /// A space as the server describes it.
    public init(id: String, name: String, kind: String, url: URL? = nil) {
        self.id = id
        self.name = name
        self.kind = kind
        self.url = url
    }
}

/// A provider that knows files' hashes better than by sending their bytes.
public protocol ChecksumProvider: FileProviderBasic {
    /// The hash kinds it can tell, best first.
    var checksumAlgorithms: [Checksum.Algorithm] { get }
    /// A file's hash without its bytes travelling, or `nil` when the storage does not know this one.
    func checksum(path: ItemPath, algorithm: Checksum.Algorithm) async throws -> Checksum?
}

/// A provider whose directories have a mark that changes when their contents do.
public protocol ChangeTokenProvider: FileProviderBasic {
    /// The directory's mark now.
    ///
    /// - Throws: `.featureUnsupported` where this server's directories have none.
    func changeToken(path: ItemPath) async throws -> ChangeToken
}

/// A directory's mark: another one means that something changed.
public struct ChangeToken: Hashable, Sendable, Codable {
    /// The mark, to be compared and nothing else.
    public var value: String
    /// Whether a change anywhere below the directory changes it too; else only a change of its own entries does.
    public var propagates: Bool

    /// A mark as the storage gave it.
    public init(value: String, propagates: Bool) {
        self.value = value
        self.propagates = propagates
    }
}
