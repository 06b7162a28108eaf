import FileProviding

/// An item of a vault, as it was at its ``revision``: a value, cheap to pass around and small enough to keep hundreds
/// of thousands.
///
/// What the server did not report is `nil`. If local work is pending, the item shows the local state, and what the
/// server has in the meantime is ``newerVersion``.
public struct Item: Identifiable, Sendable {
    let storage: Storage

    /// The permanent identifier.
    public var localID: LocalID { storage.localID }
    /// The same as ``localID``.
    public var id: LocalID { storage.localID }
    /// The directory that holds the item, or `nil` for the root.
    public var parentID: LocalID? { storage.parentID }
    /// The exact name; the root's is the empty text.
    public var itemName: ItemName { storage.name }
    /// The name as text, for display.
    public var name: String { storage.name.text }
    /// Where the item is within the vault.
    public var path: ItemPath { storage.parentID == nil ? .root : storage.parentPath.appending(storage.name) }
    /// The path of the directory that holds the item.
    var parentPath: ItemPath { storage.parentPath }

    /// What the server reported about the item, or what will be sent to it.
    public var version: ServerVersion { storage.version }
    /// The item's type.
    public var type: FileObjectType { storage.version.type }
    /// The size in bytes.
    public var size: Int64? { storage.version.size }
    /// When the contents last changed.
    public var modificationTime: FileTime? { storage.version.modificationTime }
    /// The server's tag for this version.
    public var etag: ETag? { storage.version.etag }
    /// The server's permanent identifier.
    public var fileID: String? { storage.version.fileID }
    /// The number of entries of a directory: counted once it has been listed, before that as reported by the server.
    public var childrenCount: Int? { storage.childrenCount }
    /// Whether the item is a directory.
    public var isDirectory: Bool { storage.version.type == .directory }

    /// Whether a command is to fetch the contents.
    var isDownloading: Bool { storage.isDownloading }
    /// Where the contents are.
    public var cloudStatus: CloudStatus { storage.cloudStatus }
    /// The server's version, when it is newer than the one that pending local work began with.
    public var newerVersion: ServerVersion? { storage.rare?.newerVersion }
    /// The recipients of the item's shares and the accounts that share it, as last reported by the server; see
    /// ``Core/refreshShares()``.
    public var shares: ItemShares { storage.rare?.shares?.moved(to: path) ?? ItemShares() }
    /// What is being done, or will be done, with the contents. ``Core/syncRecords(of:)`` returns everything pending for
    /// the item, including moves, copies, removals and attribute changes.
    public var activity: SyncActivity? {
        if isRemoved { return nil }
        if isDownloading { return .downloading }
        return cloudStatus == .localOnly || cloudStatus == .locallyModified ? .uploading : nil
    }
    /// Why the vault's copy was fetched; `nil` if there is none, or it was made locally.
    public var downloadTrigger: DownloadTrigger? { storage.downloadTrigger }
    /// Whether this is a tombstone: the item is gone.
    public var isRemoved: Bool { storage.isRemoved }
    /// The vault's change count after the item's last change.
    public var revision: Int64 { storage.revision }
}

extension Item {
    /// The fields, shared between copies and never changed.
    final class Storage: Sendable {
        let localID: LocalID
        let parentID: LocalID?
        let parentPath: ItemPath
        let name: ItemName
        let version: ServerVersion
        let childrenCount: Int?
        let cloudStatus: CloudStatus
        let rare: Rare?
        let isDownloading: Bool
        let downloadTrigger: DownloadTrigger?
        let isRemoved: Bool
        let revision: Int64

        init(
            localID: LocalID, parentID: LocalID?, parentPath: ItemPath, name: ItemName, version: ServerVersion,
            childrenCount: Int?, cloudStatus: CloudStatus, newerVersion: ServerVersion? = nil,
            shares: ItemShares? = nil, isDownloading: Bool = false, downloadTrigger: DownloadTrigger? = nil,
            isRemoved: Bool, revision: Int64
        ) {
            self.localID = localID
            self.parentID = parentID
            self.parentPath = parentPath
            self.name = name
            self.version = version
            self.childrenCount = childrenCount
            self.cloudStatus = cloudStatus
            rare = newerVersion == nil && shares == nil ? nil : Rare(newerVersion, shares)
            self.isDownloading = isDownloading
            self.downloadTrigger = downloadTrigger
            self.isRemoved = isRemoved
            self.revision = revision
        }
    }
}

extension Item {
    /// Creates an item by hand: for previews, and for tests of what shows items. A core's own come from its queries.
    ///
    /// Two states of the same item differ in their revision. The root has no parent, whatever is given.
    public init(
        localID: LocalID, path: ItemPath, parentID: LocalID = .root, version: ServerVersion,
        cloudStatus: CloudStatus = .cloudOnly, childrenCount: Int? = nil, newerVersion: ServerVersion? = nil,
        shares: ItemShares? = nil, isDownloading: Bool = false, downloadTrigger: DownloadTrigger? = nil,
        isRemoved: Bool = false, revision: Int64 = 0
    ) {
        storage = Storage(
            localID: localID, parentID: path.isRoot ? nil : parentID, parentPath: path.parent ?? .root,
            name: path.lastComponent ?? ItemName(unchecked: []), version: version, childrenCount: childrenCount,
            cloudStatus: cloudStatus, newerVersion: newerVersion, shares: shares, isDownloading: isDownloading,
            downloadTrigger: downloadTrigger, isRemoved: isRemoved, revision: revision)
    }
}

extension Item {
    /// The properties that few items have, stored separately so that other items need no space for them.
    final class Rare: Sendable {
        let newerVersion: ServerVersion?
        let shares: ItemShares?

        init(_ newerVersion: ServerVersion?, _ shares: ItemShares?) {
            self.newerVersion = newerVersion
            self.shares = shares
        }
    }
}

extension Item: Hashable {
    /// Returns whether both are the same item at the same point of its history and at the same path.
    public static func == (a: Item, b: Item) -> Bool {
        a.storage === b.storage
            || (a.localID == b.localID && a.revision == b.revision && a.itemName == b.itemName
                && a.parentPath == b.parentPath)
    }

    /// Hashes the identifier.
    public func hash(into hasher: inout Hasher) { hasher.combine(localID) }
}

extension Item: CustomStringConvertible {
    /// The path, the type and the cloud status.
    public var description: String { "\(path) (\(type.rawValue), \(cloudStatus.rawValue))" }
}
