import FileProviders

extension JSONLine {
    /// Creates an object for an item: path, name, type, size, modified, etag, id, hash, as far as they are known.
    ///
    /// - Parameter path: the item's path as the command shows it.
    init(_ item: FileObject, path: [UInt8]) {
        self.init()
        add(item, path: path)
    }

    /// Adds an item's known attributes.
    mutating func add(_ item: FileObject, path: [UInt8]) {
        add(path, item.itemName, item.type, item.size, item.modificationTime, item.etag, item.fileID)
        add("hash", item.checksums.map { ($0.algorithm.rawValue, $0.hex) })
    }

    /// Adds what files and items of vaults have in common, with the same names and in the same order.
    mutating func add(
        _ path: [UInt8], _ name: ItemName, _ type: FileObjectType, _ size: Int64?, _ modified: FileTime?,
        _ etag: ETag?, _ id: String?
    ) {
        add("path", exact: path)
        add("name", exact: name.bytes)
        add("type", type.rawValue)
        add("size", size)
        add("modified", modified.map(Timestamp.rfc3339))
        add("etag", etag?.rawValue)
        add("id", id)
    }
}
