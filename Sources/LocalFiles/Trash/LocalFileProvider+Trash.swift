import FileProviding
import Foundation
import Glibc

extension LocalFileProvider: TrashProvider {
    /// Returns the items that were removed from below the root, newest first.
    public func trashedItems() async throws -> [TrashedItem] {
        try await LocalThreads.run {
            try about(.root) {
                try self.trash.folders(for: self.root).flatMap { folder in
                    try folder.names().compactMap { self.item($0, in: folder) }
                }
            }.sorted { ($0.deletionDate ?? .distantPast) > ($1.deletionDate ?? .distantPast) }
        }
    }

    /// Moves the item into the trash of its file system; a link is moved itself.
    public func trash(path: ItemPath) async throws -> TrashedItem {
        let (place, _) = try source(path, writing: true)
        let (folder, name) = try about(path, writing: true) {
            let folder = try trash.folder(for: place.directory)
            let origin = try place.directory.absolutePath().appending(place.name.bytes)
            return (folder, try folder.take(place, from: origin))
        }
        guard let item = item(name, in: folder) else { throw FileError.noSuchFile(path, writing: true) }
        return item
    }

    /// Moves the item back, to another file system if necessary. The parent must exist.
    public func restore(_ item: TrashedItem, to path: ItemPath?) async throws {
        guard let path = path ?? item.originalPath else { throw unknownItem(item) }
        let (folder, name) = try find(item)
        let place = Place(directory: folder.files, name: name)
        let status = try about(path) { try place.status() }
        let options = OperationOptions()
        let destination = try Destination(path, in: root, options: options)
        _ = try await move(place, status, path, to: destination, options)
        try about(path, writing: true) { try folder.removeNote(of: name) }
    }

    /// Removes one item, or with `nil` everything that was removed from below the root; what was removed from elsewhere
    /// stays.
    public func emptyTrash(_ item: TrashedItem?) async throws {
        let items = if let item { [item] } else { try await trashedItems() }
        try await LocalThreads.run {
            for item in items {
                let (folder, name) = try self.find(item)
                let path = item.originalPath ?? .root
                try TreeRemoval().remove(name, in: folder.files, path: path)
                try about(path, writing: true) { try folder.removeNote(of: name) }
            }
        }
    }

    /// Returns an item of a trash, or `nil` for one from outside the root or without a readable note.
    private func item(_ name: ItemName, in folder: TrashFolder) -> TrashedItem? {
        let root = ItemPath(unchecked: Array(root.path.bytes.dropFirst()))
        guard let origin = folder.origin(of: name), let status = try? folder.files.status(of: name),
            let path = ItemPath(unchecked: Array(origin.path.bytes.dropFirst())).relative(to: root), !path.isRoot
        else { return nil }
        let size = status.isDirectory ? nil : status.size
        return TrashedItem(id: id(name, in: folder), originalPath: path, deletionDate: origin.deletion, size: size)
    }

    /// Returns the trash's path and the item's name, percent-encoded and so without loss.
    private func id(_ name: ItemName, in folder: TrashFolder) -> String {
        let trash = ItemPath(unchecked: Array(folder.path.bytes.dropFirst()))
        return "/" + trash.appending(name).percentEncoded
    }

    /// Returns the trash that an item is in; searches only trashes that can hold items of this root.
    private func find(_ item: TrashedItem) throws -> (folder: TrashFolder, name: ItemName) {
        guard let path = try? ItemPath(percentEncoded: item.id), let name = path.lastComponent,
            let folder = try about(.root, { try trash.folders(for: root) })
                .first(where: { id(name, in: $0) == item.id }),
            self.item(name, in: folder) != nil
        else { throw unknownItem(item) }
        return (folder, name)
    }

    private func unknownItem(_ item: TrashedItem) -> CocoaError {
        cocoaError(
            item.originalPath?.description ?? item.id, code: .fileNoSuchFile, reason: "it is not in the trash",
            underlying: POSIXError(.ENOENT))
    }
}

extension LocalFileProvider: FileProviderUndoable {
    /// Returns `true` for creating, copying, moving and linking, and for removing if the item goes to the trash.
    public func canUndo(_ operation: FileOperationType) -> Bool {
        switch operation {
        case .create, .copy, .move, .link: true
        case .remove: trash.home != nil
        case .modify, .fetch, .upload, .download: false
        }
    }
}
