import FileProviding

/// What a server says of an item besides its name and place: the marks of one version of it.
public struct ServerVersion: Hashable, Sendable, Codable {
    /// What the item is.
    public var type: FileObjectType
    /// The server's permanent identifier.
    public var fileID: String?
    /// The server's tag for the version; for a directory with propagating tags, of everything below it.
    public var etag: ETag?
    /// The size in bytes.
    public var size: Int64?
    /// When the contents last changed.
    public var modificationTime: FileTime?
    /// When the item was created.
    public var creationTime: FileTime?
    /// The media type.
    public var contentType: String?
    /// Who owns it.
    public var owner: String?
    /// Whether the account may not change it.
    public var isReadOnly: Bool?
    /// Whether plain listings leave it out.
    public var isHidden: Bool
    /// An image's size in pixels.
    public var imageSize: PixelSize?

    /// A version that is only known to be of this type.
    public init(type: FileObjectType, isHidden: Bool = false) {
        self.type = type
        self.isHidden = isHidden
    }

    /// The version that a provider's entry describes.
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

    /// The marks that tell whether contents are still these.
    public var contents: FileVersion { FileVersion(etag: etag, size: size, modificationTime: modificationTime) }
}

extension FileVersion {
    /// Whether the server still has the contents of this version: by tag where both have one, else by size and time.
    func isSameVersion(as version: ServerVersion) -> Bool { isSameVersion(as: version.contents) }

    /// Whether a copy of this version is as new as what is known; where a listing tells nothing of contents, any is.
    func isCurrent(beside version: ServerVersion) -> Bool {
        version.contents == FileVersion() || isSameVersion(as: version)
    }

    /// Whether both are marks of the same contents: tags where both have one, else size and time.
    func isSameVersion(as version: FileVersion) -> Bool {
        if let etag, let other = version.etag { return etag.opaque == other.opaque }
        return size == version.size && modificationTime == version.modificationTime
    }
}
