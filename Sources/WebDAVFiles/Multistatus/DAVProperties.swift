import FileProviding

/// The properties that a server reported for an item. What it did not report, or what cannot be parsed, is `nil`.
package struct DAVProperties: Sendable, Equatable {
    /// Whether `resourcetype` contains `collection`; otherwise the value of `iscollection`.
    package var isCollection: Bool?
    /// `getcontentlength`, in bytes.
    package var contentLength: Int64?
    package var lastModified: FileTime?
    package var creationDate: FileTime?
    /// `getetag`, with quotes even if the server left them out.
    package var etag: ETag?
    package var contentType: String?
    /// `displayname`: a text for display, never the item's name.
    package var displayName: String?
    /// The available bytes; negative if unknown or unlimited.
    package var quotaAvailable: Int64?
    /// The used bytes.
    package var quotaUsed: Int64?
    package var isHidden: Bool?
    /// `lockdiscovery`: the locks on the item.
    package var locks: [DAVLock] = []
    /// ownCloud's `id`, unique on the server.
    package var id: String?
    /// ownCloud's `fileid`, unique in the storage.
    package var fileID: String?
    /// ownCloud's letters for what the user may do: `RDNVW`.
    package var permissions: String?
    /// ownCloud's `size`, in bytes; for a collection, including everything in it.
    package var size: Int64?
    package var isFavorite: Bool?
    package var checksums: [Checksum] = []
    package var ownerID: String?
    package var ownerDisplayName: String?
    /// ownCloud's numbers for the kinds of shares that the item is in.
    package var shareTypes: [Int] = []
    /// Properties requested by name, as text.
    package var other: [XMLName: String] = [:]

    package init() {}
}

/// A lock on an item (RFC 4918, section 14.1).
package struct DAVLock: Sendable, Hashable {
    /// The token to send in `If` and `Lock-Token`, without angle brackets.
    package var token: String?
    /// The seconds until the lock expires; `nil` for never or not reported.
    package var timeout: Int64?
    /// The holder of the lock, as its client described it.
    package var owner: String?

    package init(token: String? = nil, timeout: Int64? = nil, owner: String? = nil) {
        self.token = token
        self.timeout = timeout
        self.owner = owner
    }
}
