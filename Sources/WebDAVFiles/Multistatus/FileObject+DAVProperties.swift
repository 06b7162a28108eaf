import FileProviding

extension FileObject {
    /// The item that a response to PROPFIND with Depth 0 describes, known by its path.
    package init(path: ItemPath, response: MultistatusResponse) {
        let properties = response.properties
        self.init(path: path, type: properties.fileType(hasSlash: response.href.last == UInt8(ascii: "/")))
        take(properties, isProcessing: response.isProcessing)
    }

    /// Takes over what a server told of the item.
    mutating func take(_ properties: DAVProperties, isProcessing: Bool) {
        if !isDirectory { size = properties.contentLength }
        modificationTime = properties.lastModified
        etag = properties.etag
        let fileID = properties.id ?? properties.fileID
        if fileID != nil || properties.creationDate != nil {
            setDetails {
                $0.fileID = fileID
                $0.creationTime = properties.creationDate
            }
        }
        if !isDirectory { contentType = properties.contentType }
        if !properties.checksums.isEmpty { checksums = properties.checksums }
        if let isHidden = properties.isHidden { setHidden(isHidden) }
        if let permissions = properties.permissions { self[.serverPermissions] = permissions }
        if isProcessing { self[.isProcessing] = true }
    }
}

extension DAVProperties {
    /// What the item is: a server without `resourcetype` at least ends a collection's reference with a slash.
    func fileType(hasSlash: Bool) -> FileObjectType {
        if isCollection ?? hasSlash { return .directory }
        return isCollection == nil && contentLength == nil ? .unknown : .regular
    }
}

extension FileAttributeKey where Value == String {
    /// ownCloud's letters for what the person may do with an item: `RDNVW`.
    public static let serverPermissions = FileAttributeKey("webdav.permissions")
}

extension FileAttributeKey where Value == Bool {
    /// Whether the server has not finished with an uploaded file; its contents cannot be read yet.
    public static let isProcessing = FileAttributeKey("webdav.processing")
}
