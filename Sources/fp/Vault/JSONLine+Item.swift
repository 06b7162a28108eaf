import CloudCore
import FileProviders

extension JSONLine {
    /// Adds an item of a vault: path, name, type, size, modified, etag, id and status, as far as they are known.
    mutating func add(_ item: Item, path: [UInt8]) {
        add(path, item.itemName, item.type, item.size, item.modificationTime, item.etag, item.fileID)
        add("status", item.cloudStatus.rawValue)
    }
}
