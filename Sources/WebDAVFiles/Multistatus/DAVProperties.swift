import FileProviding

/// What a server told of an item. What it did not tell, or what makes no sense, is `nil`.
package struct DAVProperties: Sendable, Equatable {
    /// Whether `resourcetype` holds `collection`; else what `iscollection` says.
    package var isCollection: Bool?
    /// `getcontentlength`, in bytes.
    package var contentLength: Int64?
    package var lastModified: FileTime?
    package var creationDate: FileTime?
    /// `getetag`, with quotes even where the server forgot them.
    package var etag: ETag?
    package var contentType: String?
    /// Text for people, never the item's name.
    package var displayName: String?
    /// Bytes; negative where it is unknown or unlimited.
    package var quotaAvailable: Int64?
    /// Bytes.
    package var quotaUsed: Int64?
    package var isHidden: Bool?
    /// mod_dav's `executable`.
    package var isExecutable: Bool?
    /// The time that Microsoft's clients set and every server remembers.
    package var win32LastModified: FileTime?
    /// Whether `supportedlock` holds any kind of lock.
    package var supportsLocks: Bool?
    /// `lockdiscovery`: the locks on the item.
    package var locks: [DAVLock] = []
    /// ownCloud's `id`, unique in the server.
    package var id: String?
    /// ownCloud's `fileid`, unique in the storage.
    package var fileID: String?
    /// ownCloud's letters for what the person may do: `RDNVW`.
    package var permissions: String?
    /// ownCloud's `size`, in bytes; of a collection with everything in it.
    package var size: Int64?
    package var isFavorite: Bool?
    package var checksums: [Checksum] = []
    package var ownerID: String?
    package var ownerDisplayName: String?
    /// ownCloud's numbers for the kinds of shares that the item is in.
    package var shareTypes: [Int] = []
    /// Properties asked for by name, as text.
    package var other: [XMLName: String] = [:]

    package init() {}
}

/// A lock on an item (RFC 4918, section 14.1).
package struct DAVLock: Sendable, Hashable {
    /// What has to be sent in `If` and `Lock-Token`, without angle brackets.
    package var token: String?
    /// Seconds until the lock goes; `nil` for never or not told.
    package var timeout: Int64?
    /// Who holds the lock, as that client put it.
    package var owner: String?

    package init(token: String? = nil, timeout: Int64? = nil, owner: String? = nil) {
        self.token = token
        self.timeout = timeout
        self.owner = owner
    }
}
