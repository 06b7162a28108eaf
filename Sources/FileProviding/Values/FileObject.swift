/// An item as its provider described it: a value, cheap to pass around and small enough to keep millions of.
///
/// What a provider did not report is `nil`. A listing's entry takes about 130 bytes: the parent's path is shared by all
/// entries of a page, and rarely used properties live in one box, which takes 200 more bytes where a provider reports
/// any.
///
/// - Important: the name is a property of its own; never derive it from the path, which may be an identifier.
public struct FileObject: @unchecked Sendable {  // Storage that is shared is never written: `mutate` copies it before.
    var storage: Storage

    /// Creates an item `name` in the directory `parent`.
    ///
    /// - Parameters:
    ///   - name: the exact name.
    ///   - parent: the directory's path.
    ///   - type: the item's type.
    ///   - etag: as the property; passing it here saves storing the item again.
    ///   - contentType: likewise.
    public init(
        name: ItemName, in parent: ItemPath, type: FileObjectType, etag: ETag? = nil, contentType: String? = nil
    ) {
        storage = Storage.make(Fields(parent: parent, type: type), name: name.bytes, etag, contentType)
    }

    /// Creates an item from its path. The root's name is the empty text.
    ///
    /// - Parameters:
    ///   - path: where the item is.
    ///   - name: the item's name where it is not the path's last component, as with identifiers.
    ///   - type: the item's type.
    public init(path: ItemPath, name: ItemName? = nil, type: FileObjectType) {
        let name = name ?? path.lastComponent ?? ItemName(unchecked: path.isIdentifier ? path.bytes : [])
        self.init(name: name, in: path.parent ?? .root, type: type)
        if path.isIdentifier || path.isRoot { mutate { $0.changeDetails { $0.path = path } } }
    }

    /// The exact name.
    public var itemName: ItemName { ItemName(unchecked: storage.withName(Array.init)) }

    /// The name as text, for display; bytes that are not UTF-8 show as U+FFFD.
    public var name: String { storage.withName { String(decoding: $0, as: UTF8.self) } }

    /// Where the item is within its provider.
    public var path: ItemPath {
        storage.header.details?.path ?? storage.withName(storage.header.parent.appending(bytes:))
    }

    /// The item's type.
    public var type: FileObjectType {
        get { storage.header.type }
        set { mutate { $0.type = newValue } }
    }

    /// The size in bytes, or `nil` where it is unknown or meaningless, as for directories.
    public var size: Int64? {
        get { storage.header.size < 0 ? nil : storage.header.size }
        set { mutate { $0.size = newValue ?? -1 } }
    }

    /// When the contents last changed.
    public var modificationTime: FileTime? {
        get { storage.header.modified.known }
        set { mutate { $0.modified = newValue ?? .unknown } }
    }

    /// When the item was created.
    public var creationTime: FileTime? {
        get { storage.header.created.known }
        set { mutate { $0.created = newValue ?? .unknown } }
    }

    /// The server's tag for this version.
    public var etag: ETag? {
        get { storage.withTexts { _, tag, _ in tag.map { ETag(rawValue: String(decoding: $0, as: UTF8.self)) } } }
        set { storage = storage.described(newValue, contentType) }
    }

    /// The media type (RFC 6838), such as `image/jpeg`.
    public var contentType: String? {
        get { storage.withTexts { _, _, type in type.map { String(decoding: $0, as: UTF8.self) } } }
        set { storage = storage.described(etag, newValue) }
    }

    /// Whether the item is a directory.
    public var isDirectory: Bool { type == .directory }
    /// Whether the item is a file with contents.
    public var isRegularFile: Bool { type == .regular }
    /// Whether the item is a symbolic link.
    public var isSymLink: Bool { type == .symbolicLink }

    /// Returns the same item under another path.
    public func relocated(to path: ItemPath) -> FileObject {
        var moved = self
        if !path.isIdentifier { moved.storage = storage.named(path.lastComponent?.bytes ?? []) }
        moved.mutate {
            $0.parent = path.parent ?? .root
            let kept = path.isIdentifier || path.isRoot ? path : nil
            if kept != nil || $0.details?.path != nil { $0.changeDetails { $0.path = kept } }
        }
        return moved
    }
}

extension FileObject: Equatable {
    /// Returns whether path, type, size, modification time, tag and identifier are equal.
    public static func == (a: FileObject, b: FileObject) -> Bool {
        a.storage === b.storage
            || (a.itemName == b.itemName && a.path == b.path && a.type == b.type && a.size == b.size
                && a.modificationTime == b.modificationTime && a.etag == b.etag && a.fileID == b.fileID)
    }
}

extension FileObject: Hashable {
    /// Hashes the path alone.
    public func hash(into hasher: inout Hasher) { hasher.combine(path) }
}

extension FileObject: CustomStringConvertible {
    /// The path and type.
    public var description: String { "\(path) (\(type.rawValue))" }
}
