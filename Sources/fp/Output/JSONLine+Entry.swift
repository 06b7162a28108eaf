import FileProviders

extension JSONLine {
    /// An item: path, name, type, size, modified, etag, id, hash, as far as they are known.
    ///
    /// - Parameter path: the item's path as the command shows it.
    init(_ item: FileObject, path: [UInt8]) {
        self.init()
        add("path", exact: path)
        add("name", exact: item.itemName.bytes)
        add("type", item.type.rawValue)
        add("size", item.size)
        add("modified", item.modificationTime.map(Timestamp.rfc3339))
        add("etag", item.etag?.rawValue)
        add("id", item.fileID)
        add("hash", item.checksums.map { ($0.algorithm.rawValue, $0.hex) })
    }
}
