import FileProviding
import Foundation

/// An item of a ``MemoryTree``: a file, a directory or a symbolic link, apart from the name it goes by.
struct MemoryNode: Sendable {
    /// The item's number, never used twice in a tree: its permanent identifier.
    typealias ID = Int

    /// What the item holds.
    enum Contents: Sendable {
        case file(Data)
        case directory([ItemName: ID])
        case link(LinkTarget)
    }

    let id: ID
    /// The directory that holds the item; `nil` for the root and for what lies in the trash.
    var parent: ID?
    var name: ItemName
    var contents: Contents
    /// Counts the tree's changes: the last one here, for a directory also the last one anywhere below.
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

    /// The item as a provider describes it, known under `path`.
    func object(at path: ItemPath) -> FileObject {
        if path.isRoot { return described(FileObject(path: .root, type: .directory)) }
        return object(name: path.lastComponent ?? name, in: path.parent ?? .root)
    }

    /// The item as an entry of `parent`.
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
