extension FileQuery {
    /// A property that a query can test.
    public enum Key: Sendable, Hashable {
        /// The last component, as the storage spells it.
        case name
        /// The path within the provider.
        case path
        /// The address, as text.
        case url
        /// The size in bytes.
        case fileSize
        /// When the file was created.
        case creationDate
        /// When the contents last changed.
        case modifiedDate
        /// When the contents were last read.
        case accessDate
        /// Whether the item is hidden from plain listings.
        case isHidden
        /// Whether the current user may change the item.
        case isWritable
        /// Whether the current user may not change the item.
        case isReadOnly
        /// Whether the item is a directory.
        case isDirectory
        /// Whether the item is a file with contents.
        case isRegularFile
        /// Whether the item is a symbolic link, whatever it points to.
        case isSymLink
        /// One of "directory", "regular", "symbolicLink" and "unknown".
        case type
        /// The server's version of the contents, verbatim.
        case eTag
        /// The media type, such as "image/jpeg".
        case mimeType
        /// The storage's permanent identifier.
        case id
        /// The number of entries in a directory.
        case childrenCount
        /// The owner, as the storage names it.
        case owner
        /// The width of an image or video in pixels.
        case width
        /// The height of an image or video in pixels.
        case height
        /// A provider's own property.
        case custom(CustomKey)

        /// Creates a key for a provider's own property; see ``CustomKey/init(_:type:)``.
        public init(custom name: String, type: ValueType) {
            self = .custom(CustomKey(name, type: type))
        }
    }
}

extension FileQuery.Key {
    /// The keys that all providers share.
    public static let known: [Self] = [
        .name, .path, .url, .fileSize, .creationDate, .modifiedDate, .accessDate, .isHidden, .isWritable, .isReadOnly,
        .isDirectory, .isRegularFile, .isSymLink, .type, .eTag, .mimeType, .id, .childrenCount, .owner, .width, .height,
    ]

    /// The spelling in the predicate format.
    public var name: String {
        switch self {
        case .name: "name"
        case .path: "path"
        case .url: "url"
        case .fileSize: "fileSize"
        case .creationDate: "creationDate"
        case .modifiedDate: "modifiedDate"
        case .accessDate: "accessDate"
        case .isHidden: "isHidden"
        case .isWritable: "isWritable"
        case .isReadOnly: "isReadOnly"
        case .isDirectory: "isDirectory"
        case .isRegularFile: "isRegularFile"
        case .isSymLink: "isSymLink"
        case .type: "type"
        case .eTag: "eTag"
        case .mimeType: "mimeType"
        case .id: "id"
        case .childrenCount: "childrenCount"
        case .owner: "owner"
        case .width: "width"
        case .height: "height"
        case .custom(let key): key.name
        }
    }

    /// Other spellings that are parsed, but never written.
    var aliases: [String] {
        switch self {
        case .fileSize: ["size", "filesize"]
        case .modifiedDate: ["contentModificationDate", "modified"]
        case .isSymLink: ["isSymbolicLink"]
        case .type: ["fileType"]
        case .eTag: ["entryTag"]
        case .mimeType: ["contentType"]
        case .id: ["fileID"]
        default: []
        }
    }

    /// The type of its values.
    public var type: FileQuery.ValueType {
        switch self {
        case .name, .path, .url, .type, .eTag, .mimeType, .id, .owner: .string
        case .fileSize, .childrenCount, .width, .height: .integer
        case .creationDate, .modifiedDate, .accessDate: .date
        case .isHidden, .isWritable, .isReadOnly, .isDirectory, .isRegularFile, .isSymLink: .bool
        case .custom(let key): key.type
        }
    }
}
