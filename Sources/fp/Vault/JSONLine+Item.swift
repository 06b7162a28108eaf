import CloudCore
import FileProviders

extension JSONLine {
    /// Adds an item of a vault: path, name, type, size, modified, etag, id and status, as far as they are known.
    mutating func add(_ item: Item, path: [UInt8]) {
        add("path", exact: path)
        add("name", exact: item.itemName.bytes)
        add("type", item.type.rawValue)
        add("size", item.size)
        add("modified", item.modificationTime.map(Timestamp.rfc3339))
        add("etag", item.etag?.rawValue)
        add("id", item.fileID)
        add("status", item.cloudStatus.rawValue)
    }
}
