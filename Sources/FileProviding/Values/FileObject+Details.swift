extension FileObject {
    /// The fields that few entries have; see the properties of the same names.
    package struct Details: Sendable {
        var path: ItemPath?
        package var fileID: String?
        package var accessTime: FileTime?
        package var permissions: UInt16?
        package var owner: String?
        package var group: String?
        package var linkCount: Int?
        package var linkTarget: LinkTarget?
        var checksums: [Checksum] = []
        var childrenCount: Int?
        var isHidden: Bool?
        var isReadOnly: Bool?
        var custom: [String: any Sendable] = [:]
    }

    /// The provider's permanent identifier of the item, the same after a rename: a server's file id, or one made of the
    /// device, inode and creation time. `nil` where there is none.
    ///
    /// No other item has it at the same time, nor later, when this one is gone. Only hard links to one file share it;
    /// their ``linkCount`` is above 1. Vaults take an item with a known identifier for the same one, moved.
    public var fileID: String? {
        get { storage.header.details?.fileID }
        set { setDetail(\.fileID, newValue) }
    }
    /// When the contents were last read.
    public var accessTime: FileTime? {
        get { storage.header.details?.accessTime }
        set { setDetail(\.accessTime, newValue) }
    }
    /// The Unix permission bits, `0o000` to `0o7777`.
    public var permissions: UInt16? {
        get { storage.header.details?.permissions }
        set { setDetail(\.permissions, newValue) }
    }
    /// The owner's name, or number where no name is known.
    public var owner: String? {
        get { storage.header.details?.owner }
        set { setDetail(\.owner, newValue) }
    }
    /// The group's name, or number where no name is known.
    public var group: String? {
        get { storage.header.details?.group }
        set { setDetail(\.group, newValue) }
    }
    /// The number of hard links to the file.
    public var linkCount: Int? {
        get { storage.header.details?.linkCount }
        set { setDetail(\.linkCount, newValue) }
    }
    /// What a symbolic link points to.
    public var linkTarget: LinkTarget? {
        get { storage.header.details?.linkTarget }
        set { setDetail(\.linkTarget, newValue) }
    }
    /// The hashes that the provider reports without reading the file.
    public var checksums: [Checksum] {
        get { storage.header.details?.checksums ?? [] }
        set { mutate { $0.changeDetails { $0.checksums = newValue } } }
    }
    /// The number of entries of a directory, where the storage knows it without listing: vaults and storage in memory.
    public var childrenCount: Int? {
        get { storage.header.details?.childrenCount }
        set { setDetail(\.childrenCount, newValue) }
    }
    /// Whether the current user may not change the item, where the provider reports it.
    public var isReadOnly: Bool? {
        get { storage.header.details?.isReadOnly ?? storage.header.details?.permissions.map { $0 & 0o222 == 0 } }
        set { setDetail(\.isReadOnly, newValue) }
    }

    /// Whether the name begins with a dot, or the provider says so.
    public var isHidden: Bool {
        get { storage.header.details?.isHidden ?? storage.withName { $0.first == UInt8(ascii: ".") } }
        set { setDetail(\.isHidden, newValue) }
    }

    /// Accesses a property that only some providers know, by its typed key.
    public subscript<Value: Sendable>(key: FileAttributeKey<Value>) -> Value? {
        get { storage.header.details?.custom[key.name] as? Value }
        set {
            guard newValue != nil || storage.header.details?.custom[key.name] != nil else { return }
            mutate { $0.changeDetails { $0.custom[key.name] = newValue } }
        }
    }

    /// All properties with typed keys, by the key's name.
    public var customAttributes: [String: any Sendable] { storage.header.details?.custom ?? [:] }

    /// Sets several details at once, for providers that report many.
    package mutating func setDetails(_ change: (inout Details) -> Void) {
        mutate { $0.changeDetails(change) }
    }

    private mutating func setDetail<Value>(_ key: WritableKeyPath<Details, Value?>, _ value: Value?) {
        guard value != nil || storage.header.details?[keyPath: key] != nil else { return }
        mutate { $0.changeDetails { $0[keyPath: key] = value } }
    }
}
