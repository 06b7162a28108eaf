/// How an operation is to be done.
public struct OperationOptions: Sendable, Hashable {
    /// Whether a file at the destination is replaced; it is in one step, and stays when the new one fails.
    public var overwrite = false
    /// What the written item is to carry, where the provider can.
    public var attributes = ItemAttributes()
    /// Go on only while the file is this version: the one read, or the one about to be replaced.
    public var expecting: FileVersion?
    /// Whether missing parents of a destination are created.
    public var createsParents = false
    /// Whether data is on the medium before the operation reports success (`fsync`), where the provider can.
    public var flush = false

    /// Nothing replaced, nothing carried, nothing expected.
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

/// Attributes to give to an item that is written. What is `nil` is left to the storage.
public struct ItemAttributes: Sendable, Hashable, Codable {
    /// When the contents last changed.
    public var modificationTime: FileTime?
    /// The Unix permission bits.
    public var permissions: UInt16?
    /// The media type.
    public var contentType: String?

    /// These attributes and no others.
    public init(modificationTime: FileTime? = nil, permissions: UInt16? = nil, contentType: String? = nil) {
        self.modificationTime = modificationTime
        self.permissions = permissions
        self.contentType = contentType
    }
}
