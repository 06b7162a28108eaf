import FileProviding
import HTTPFiles

extension FileObject {
    /// Creates the item that a response to PROPFIND with Depth 0 describes, known by its path.
    package init(path: ItemPath, response: MultistatusResponse) {
        let properties = response.properties
        self.init(path: path, type: properties.fileType(hasSlash: response.href.last == UInt8(ascii: "/")))
        etag = properties.etag
        if !isDirectory { contentType = properties.contentType }
        take(properties, isProcessing: response.isProcessing)
    }

    /// Sets what a server reported about the item, except its tag and media type.
    mutating func take(_ properties: DAVProperties, isProcessing: Bool) {
        if !isDirectory { size = properties.contentLength }
        modificationTime = properties.lastModified
        if let size, let told = modificationTime {
            modificationTime = properties.etag?.time(ofSize: size, reported: told) ?? told
        }
        creationTime = properties.creationDate
        fileID = properties.id ?? properties.fileID
        if !properties.checksums.isEmpty { checksums = properties.checksums }
        if let isHidden = properties.isHidden { self.isHidden = isHidden }
        if let permissions = properties.permissions {
            self[.serverPermissions] = permissions
            isReadOnly = !permissions.contains { isDirectory ? "CK".contains($0) : $0 == "W" }
        }
        if properties.isFavorite == true { self[.isFavorite] = true }
        if let owner = properties.ownerID { self[.ownerID] = owner }
        if let owner = properties.ownerDisplayName ?? properties.ownerID { self.owner = owner }
        if !properties.shareTypes.isEmpty { self[.shareTypes] = properties.shareTypes }
        if isDirectory, let size = properties.size { self[.recursiveSize] = size }
        if isProcessing { self[.isProcessing] = true }
    }
}

extension DAVProperties {
    /// Returns the item's type: a server without `resourcetype` at least ends a collection's reference with a slash.
    func fileType(hasSlash: Bool) -> FileObjectType {
        if isCollection ?? hasSlash { return .directory }
        return isCollection == nil && contentLength == nil ? .unknown : .regular
    }
}

extension FileAttributeKey where Value == String {
    /// The owner's identifier on the server.
    public static let ownerID = FileAttributeKey("webdav.owner")

    /// ownCloud's letters for what the user may do with an item: `RDNVW`.
    public static let serverPermissions = FileAttributeKey("webdav.permissions")
}

extension FileAttributeKey where Value == Int64 {
    /// The total size in bytes of everything in a directory.
    public static let recursiveSize = FileAttributeKey("webdav.size")
}

extension FileAttributeKey where Value == [Int] {
    /// The kinds of shares that the item is in, by the share API's numbers: 0 user, 1 group, 3 link.
    public static let shareTypes = FileAttributeKey("webdav.shares")
}

extension FileAttributeKey where Value == Bool {
    /// Whether the user marked the item as a favorite.
    public static let isFavorite = FileAttributeKey("webdav.favorite")
    /// Whether the server is still processing an uploaded file; its contents cannot be read yet.
    public static let isProcessing = FileAttributeKey("webdav.processing")
}
