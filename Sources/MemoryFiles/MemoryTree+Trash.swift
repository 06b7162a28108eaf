import FileProviding
import Foundation

extension MemoryTree {
    /// Moves an item out of the tree into the trash.
    mutating func moveToTrash(_ path: ItemPath, now: FileTime) throws -> TrashedItem {
        let node = try find(path)
        try checkRemovable(node, at: path)
        let item = TrashedItem(
            id: String(node.id), originalPath: self.path(of: node.id), deletionDate: now.date,
            size: node.data.map { Int64($0.count) })
        tell(node.id) { .removed($0) }
        detach(node.id, now: now)
        trash.append((item, node.id))
        return item
    }

    /// Restores a trashed item to where it was, or to `path`.
    mutating func restore(_ item: TrashedItem, to path: ItemPath?, now: FileTime) throws {
        guard let index = trash.firstIndex(where: { $0.item.id == item.id }),
            let path = path ?? trash[index].item.originalPath
        else { throw FileError.noSuchFile(item.id) }
        let (directory, name) = try place(for: path)
        guard self[directory].entries?[name] == nil else { throw FileError.exists(path) }
        let id = trash.remove(at: index).node
        attach(id, as: name, in: directory, now: now)
        tell(id) { .created($0) }
    }

    /// Permanently removes one item, or all.
    mutating func emptyTrash(_ item: TrashedItem?) throws {
        let gone = trash.filter { item == nil || $0.item.id == item?.id }
        if let item, gone.isEmpty { throw FileError.noSuchFile(item.id) }
        trash.removeAll { entry in gone.contains { $0.node == entry.node } }
        for entry in gone { discard(entry.node) }
    }
}
