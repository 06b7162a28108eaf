/// An item as its provider described it: a value, cheap to pass around and affordable by the million.
///
/// What a provider did not say is `nil`. A listing's entry costs about 200 bytes: the parent's path is shared by all
/// entries of a page, and rarely used properties live in one box, which takes 250 bytes more where a provider tells any.
///
/// - Important: the name is a property of its own; never take it from the path, which may be an identifier.
public struct FileObject: Sendable {
    var storage: Storage

    /// An item `name` in the directory `parent`.
    public init(name: ItemName, in parent: ItemPath, type: FileObjectType) {
        storage = Storage(parent: parent, name: name, type: type)
    }

    /// An item known by its path. The root's name is empty text.
    ///
    /// - Parameters:
    ///   - path: where the item is.
    ///   - name: the item's name where the path does not end in it, as with identifiers.
    ///   - type: what it is.
    public init(path: ItemPath, name: ItemName? = nil, type: FileObjectType) {
        let name = name ?? path.lastComponent
        storage = Storage(
            parent: path.parent ?? .root, name: name ?? ItemName(unchecked: path.isIdentifier ? path.bytes : []),
            type: type)
        if path.isIdentifier || path.isRoot { mutate { $0.changeRare { $0.path = path } } }
    }

    /// The exact name.
    public var itemName: ItemName { storage.name }

    /// The name as text, for people; bytes that are not UTF-8 show as U+FFFD.
    public var name: String { storage.name.text }

    /// Where the item is within its provider.
    public var path: ItemPath { storage.rare?.path ?? storage.parent.appending(storage.name) }

    /// What the item is.
    public var type: FileObjectType {
        get { storage.type }
        set { mutate { $0.type = newValue } }
    }

    /// The size in bytes, or `nil` where it is unknown or has no meaning, as for directories.
    public var size: Int64? {
        get { storage.size < 0 ? nil : storage.size }
        set { mutate { $0.size = newValue ?? -1 } }
    }

    /// When the contents last changed.
    public var modificationTime: FileTime? {
        get { storage.modified.nanoseconds == .min ? nil : storage.modified }
        set { mutate { $0.modified = newValue ?? FileTime(nanoseconds: .min) } }
    }

    /// The server's tag for this version.
    public var etag: ETag? {
        get { storage.etag }
        set { mutate { $0.etag = newValue } }
    }

    /// Whether the item is a directory.
    public var isDirectory: Bool { type == .directory }
    /// Whether the item is a file with contents.
    public var isRegularFile: Bool { type == .regular }
    /// Whether the item is a symbolic link.
    public var isSymLink: Bool { type == .symbolicLink }
    /// Whether the name begins with a dot, or the provider says so.
    public var isHidden: Bool { storage.rare?.isHidden ?? storage.name.isHidden }

    /// The same item, known under another path.
    public func relocated(to path: ItemPath) -> FileObject {
        var moved = self
        moved.mutate {
            $0.parent = path.parent ?? .root
            if !path.isIdentifier { $0.name = path.lastComponent ?? ItemName(unchecked: []) }
            let kept = path.isIdentifier || path.isRoot ? path : nil
            if kept != nil || $0.rare?.path != nil { $0.changeRare { $0.path = kept } }
        }
        return moved
    }

    mutating func mutate(_ change: (Storage) -> Void) {
        if !isKnownUniquelyReferenced(&storage) { storage = storage.copy() }
        change(storage)
    }
}

extension FileObject {
    /// The fields that every entry has. Shared between copies, never written while shared.
    final class Storage: @unchecked Sendable {  // `mutate` copies before it writes to shared storage.
        var parent: ItemPath
        var name: ItemName
        var size: Int64 = -1
        var modified = FileTime(nanoseconds: .min)
        var etag: ETag?
        var boxed: RareBox?
        var type: FileObjectType

        init(parent: ItemPath, name: ItemName, type: FileObjectType) {
            self.parent = parent
            self.name = name
            self.type = type
        }

        func copy() -> Storage {
            let copy = Storage(parent: parent, name: name, type: type)
            copy.size = size
            copy.modified = modified
            copy.etag = etag
            copy.boxed = boxed
            return copy
        }

        var rare: Rare? { boxed?.value }

        func changeRare(_ change: (inout Rare) -> Void) {
            if !isKnownUniquelyReferenced(&boxed) { boxed = RareBox(boxed?.value ?? Rare()) }
            change(&boxed!.value)
        }
    }

    /// The fields that few entries have. Shared between copies, never written while shared.
    final class RareBox: @unchecked Sendable {  // `changeRare` copies before it writes to a shared box.
        var value: Rare
        init(_ value: Rare) { self.value = value }
    }
}

extension FileObject: Equatable {
    /// Equal in path, type, size, time, tag and identifier.
    public static func == (a: FileObject, b: FileObject) -> Bool {
        a.storage === b.storage
            || (a.storage.name == b.storage.name && a.path == b.path && a.type == b.type && a.size == b.size
                && a.modificationTime == b.modificationTime && a.etag == b.etag && a.fileID == b.fileID)
    }
}

extension FileObject: CustomStringConvertible {
    /// The path and type.
    public var description: String { "\(path) (\(type.rawValue))" }
}
