import FileProviding

/// What a server reports about an item besides its name and place: the properties that identify one version of it.
public struct ServerVersion: Hashable, Sendable, Codable {
    /// The item's type.
    public var type: FileObjectType
    /// The server's permanent identifier.
    public var fileID: String?
    /// The server's tag for the version; for a directory with propagating tags, it covers everything below it.
    public var etag: ETag?
    /// The size in bytes.
    public var size: Int64?
    /// When the contents last changed.
    public var modificationTime: FileTime?
    /// When the item was created.
    public var creationTime: FileTime?
    /// The media type.
    public var contentType: String?
    /// The owner.
    public var owner: String?
    /// Whether the account may not change the item.
    public var isReadOnly: Bool?
    /// Whether the item is hidden from plain listings.
    public var isHidden: Bool
    /// An image's size in pixels.
    public var imageSize: PixelSize?

    /// Creates a version of which only the type is known.
    public init(type: FileObjectType, isHidden: Bool = false) {
        self.type = type
        self.isHidden = isHidden
    }

    /// Creates the version that a provider's entry describes.
    public init(_ file: FileObject) {
        self.init(type: file.type, isHidden: file.isHidden)
        fileID = file.fileID
        etag = file.etag
        size = file.size
        modificationTime = file.modificationTime
        creationTime = file.creationTime
        contentType = file.contentType
        owner = file.owner
        isReadOnly = file.isReadOnly
        if let width = file[.imageWidth], let height = file[.imageHeight] {
            imageSize = PixelSize(width: width, height: height)
        }
    }

    /// The properties that show whether the contents are still the same.
    public var contents: FileVersion { FileVersion(etag: etag, size: size, modificationTime: modificationTime) }
}

extension FileVersion {
    /// Returns whether the server still has the contents of this version: by tag if both have one, otherwise by size
    /// and time.
    func isSameVersion(as version: ServerVersion) -> Bool { isSameVersion(as: version.contents) }

    /// Returns whether a copy of this version is as new as what is known; if a listing says nothing about contents, any
    /// copy is.
    func isCurrent(beside version: ServerVersion) -> Bool {
        version.contents == FileVersion() || isSameVersion(as: version)
    }

    /// Returns whether both identify the same contents: by tag if both have one, otherwise by size and time.
    func isSameVersion(as version: FileVersion) -> Bool {
        if let etag, let other = version.etag { return etag.opaque == other.opaque }
        return size == version.size && modificationTime == version.modificationTime
    }
}
