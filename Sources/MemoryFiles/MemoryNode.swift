import FileProviding
import Foundation

/// An item of a ``MemoryTree``: a file, a directory or a symbolic link, without its name.
struct MemoryNode: Sendable {
    /// The item's number, never reused in a tree: its permanent identifier.
    typealias ID = Int

    /// The contents of an item.
    enum Contents: Sendable {
        case file(Data)
        case directory([ItemName: ID])
        case link(LinkTarget)
    }

    let id: ID
    /// The directory that holds the item; `nil` for the root and for items in the trash.
    var parent: ID?
    var name: ItemName
    var contents: Contents
    /// The number of the tree's last change to this item or, for a directory, to anything below it.
    var version: Int
    var created: FileTime
    var modified: FileTime
    var permissions: UInt16
    var contentType: String?

    var isDirectory: Bool { if case .directory = contents { true } else { false } }

    var entries: [ItemName: ID]? { if case .directory(let entries) = contents { entries } else { nil } }

    var data: Data? { if case .file(let data) = contents { data } else { nil } }

    /// The bytes that count against the store's capacity.
    var size: Int64 { Int64(data?.count ?? 0) }

    /// Returns the item as a provider describes it, under `path`.
    func object(at path: ItemPath) -> FileObject {
        if path.isRoot { return described(FileObject(path: .root, type: .directory)) }
        return object(name: path.lastComponent ?? name, in: path.parent ?? .root)
    }

    /// Returns the item as an entry of `parent`.
    func object(name: ItemName, in parent: ItemPath) -> FileObject {
        described(FileObject(name: name, in: parent, type: type))
    }

    private var type: FileObjectType {
        switch contents {
        case .file: .regular
        case .directory: .directory
        case .link: .symbolicLink
        }
    }

    private func described(_ bare: FileObject) -> FileObject {
        var object = bare
        if let data { object.size = Int64(data.count) }
        object.modificationTime = modified
        object.creationTime = created
        object.etag = ETag(rawValue: "\"\(id)-\(version)\"")
        object.setDetails { details in
            details.fileID = String(id)
            details.permissions = permissions
            if case .link(let target) = contents { details.linkTarget = target }
        }
        object.contentType = contentType
        if let entries { object.childrenCount = entries.count }
        return object
    }
}
