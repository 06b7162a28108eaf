/// Options of an operation.
public struct OperationOptions: Sendable, Hashable {
    /// Whether a file at the destination is replaced. It is replaced atomically, and stays when writing the new one
    /// fails.
    public var overwrite = false
    /// The attributes to set on the written item, where the provider can.
    public var attributes = ItemAttributes()
    /// The version that the file must still have for the operation to go on: the file read, or the one about to be
    /// replaced or removed.
    ///
    /// With another version, the operation throws "has changed" (`POSIXError.ESTALE`); without any file, that or "no
    /// such file". Nothing has been changed then. Set it to replace or remove only the version that the user has seen,
    /// as a vault does.
    public var expecting: FileVersion?
    /// Whether missing parents of a destination are created.
    public var createsParents = false
    /// Whether data is flushed to the medium before the operation reports success (`fsync`), where the provider can.
    public var flush = false
    /// Whether a directory is removed only if nothing is in it. Otherwise it stays, and the operation throws "directory
    /// not empty" (`POSIXError.ENOTEMPTY`). A server that only removes whole trees is asked just before for what is in
    /// it; where its answer would prove nothing, the operation throws `.featureUnsupported`.
    public var onlyIfEmpty = false
    /// Whether a move may only rename. If the storage would have to copy the item, as between two local file systems,
    /// the move fails with `.featureUnsupported`.
    public var renamesOnly = false
    /// Whether a copy gets the original's owner, if the storage has owners and this process may set them.
    public var keepsOwner = false
    /// The most bytes that copying a local directory may take; beyond that, it fails with `.featureUnsupported`.
    package var mostBytes: Int64?

    /// Creates options; by default nothing is replaced, no attributes are set and no version is expected.
    public init(
        overwrite: Bool = false, attributes: ItemAttributes = ItemAttributes(), expecting: FileVersion? = nil,
        createsParents: Bool = false, flush: Bool = false
    ) {
        self.overwrite = overwrite
        self.attributes = attributes
        self.expecting = expecting
        self.createsParents = createsParents
        self.flush = flush
    }
}

/// Attributes to set on an item. Those that are `nil` are left to the storage.
public struct ItemAttributes: Sendable, Hashable, Codable {
    /// When the contents last changed.
    public var modificationTime: FileTime?
    /// The Unix permission bits.
    public var permissions: UInt16?
    /// The media type.
    public var contentType: String?

    /// Creates attributes.
    public init(modificationTime: FileTime? = nil, permissions: UInt16? = nil, contentType: String? = nil) {
        self.modificationTime = modificationTime
        self.permissions = permissions
        self.contentType = contentType
    }
}
