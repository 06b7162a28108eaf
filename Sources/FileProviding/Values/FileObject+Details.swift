extension FileObject {
    /// The fields that few entries have; see the properties of the same names.
    struct Rare: Sendable {
        var path: ItemPath?
        var fileID: String?
        var accessTime: FileTime?
        var permissions: UInt16?
        var owner: String?
        var group: String?
        var linkCount: Int?
        var linkTarget: LinkTarget?
        var checksums: [Checksum] = []
        var childrenCount: Int?
        var isHidden: Bool?
        var isReadOnly: Bool?
        var custom: [String: any Sendable] = [:]
    }

    /// The provider's permanent identifier of the item, the same after a rename: a server's file id, or one made of the
    /// device, inode and creation time. `nil` where there is none.
    ///
    /// No other item has it at the same time, nor later, when this one is gone; names of one file that share it (hard
    /// links) tell a ``linkCount`` above 1. Vaults take an item with a known identifier for the same one, moved.
    public var fileID: String? {
        get { storage.header.rare?.fileID }
        set { setRare(\.fileID, newValue) }
    }
    /// When the contents were last read.
    public var accessTime: FileTime? {
        get { storage.header.rare?.accessTime }
        set { setRare(\.accessTime, newValue) }
    }
    /// The Unix permission bits, `0o000` to `0o7777`.
    public var permissions: UInt16? {
        get { storage.header.rare?.permissions }
        set { setRare(\.permissions, newValue) }
    }
    /// The owner's name, or number where no name is known.
    public var owner: String? {
        get { storage.header.rare?.owner }
        set { setRare(\.owner, newValue) }
    }
    /// The group's name, or number where no name is known.
    public var group: String? {
        get { storage.header.rare?.group }
        set { setRare(\.group, newValue) }
    }
    /// The number of hard links to the file.
    public var linkCount: Int? {
        get { storage.header.rare?.linkCount }
        set { setRare(\.linkCount, newValue) }
    }
    /// What a symbolic link points to.
    public var linkTarget: LinkTarget? {
        get { storage.header.rare?.linkTarget }
        set { setRare(\.linkTarget, newValue) }
    }
    /// The hashes that the provider reports without reading the file.
    public var checksums: [Checksum] {
        get { storage.header.rare?.checksums ?? [] }
        set { mutate { $0.changeRare { $0.checksums = newValue } } }
    }
    /// The number of entries of a directory.
    public var childrenCount: Int? {
        get { storage.header.rare?.childrenCount }
        set { setRare(\.childrenCount, newValue) }
    }
    /// Whether the current user may not change the item, where the provider reports it.
    public var isReadOnly: Bool? {
        get { storage.header.rare?.isReadOnly ?? storage.header.rare?.permissions.map { $0 & 0o222 == 0 } }
        set { setRare(\.isReadOnly, newValue) }
    }

    /// Sets whether the item is hidden, whatever its name.
    public mutating func setHidden(_ isHidden: Bool) { setRare(\.isHidden, isHidden) }

    /// Accesses a property that only some providers know, by its typed key.
    public subscript<Value: Sendable>(key: FileAttributeKey<Value>) -> Value? {
        get { storage.header.rare?.custom[key.name] as? Value }
        set {
            guard newValue != nil || storage.header.rare?.custom[key.name] != nil else { return }
            mutate { $0.changeRare { $0.custom[key.name] = newValue } }
        }
    }

    /// All properties with typed keys, by the key's name.
    public var customAttributes: [String: any Sendable] { storage.header.rare?.custom ?? [:] }

    /// Sets several details at once, for providers that report many.
    package mutating func setDetails(_ change: (inout Details) -> Void) {
        mutate { fields in
            fields.changeRare { rare in
                var details = Details(rare: rare)
                change(&details)
                rare = details.rare
            }
        }
    }

    private mutating func setRare<Value>(_ key: WritableKeyPath<Rare, Value?>, _ value: Value?) {
        guard value != nil || storage.header.rare?[keyPath: key] != nil else { return }
        mutate { $0.changeRare { $0[keyPath: key] = value } }
    }
}

extension FileObject {
    /// The details that a provider reports for every entry, set at once.
    package struct Details {
        fileprivate(set) var rare: Rare

        package var fileID: String? {
            get { rare.fileID }
            set { rare.fileID = newValue }
        }
        package var accessTime: FileTime? {
            get { rare.accessTime }
            set { rare.accessTime = newValue }
        }
        package var permissions: UInt16? {
            get { rare.permissions }
            set { rare.permissions = newValue }
        }
        package var owner: String? {
            get { rare.owner }
            set { rare.owner = newValue }
        }
        package var group: String? {
            get { rare.group }
            set { rare.group = newValue }
        }
        package var linkCount: Int? {
            get { rare.linkCount }
            set { rare.linkCount = newValue }
        }
        package var linkTarget: LinkTarget? {
            get { rare.linkTarget }
            set { rare.linkTarget = newValue }
        }
    }
}

/// A typed key for a property that only some providers know, such as a gallery image's width.
public struct FileAttributeKey<Value: Sendable>: Hashable, Sendable {
    /// The key's name, unique within the provider's kind: `gallery.width`.
    public let name: String

    /// Creates a key with this name.
    public init(_ name: String) { self.name = name }
}

extension FileAttributeKey where Value == Int64 {
    /// The total size in bytes of the files in a directory that was just copied with everything below it.
    package static let copiedBytes = FileAttributeKey("copied.bytes")
}

extension FileAttributeKey where Value == FileTime {
    /// The storage's own time, in whole seconds, when it received the request that wrote the file or replied to it.
    package static let writtenBy = FileAttributeKey("written.by")
}
