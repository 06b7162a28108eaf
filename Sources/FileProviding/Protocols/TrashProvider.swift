import Foundation

/// A provider with a trash: removed items can be listed, restored and permanently removed.
public protocol TrashProvider: FileProviderOperations {
    /// Returns the items in the trash, newest first.
    func trashedItems() async throws -> [TrashedItem]
    /// Moves an item to the trash and returns the trashed item, which undo needs.
    func trash(path: ItemPath) async throws -> TrashedItem
    /// Restores an item to where it was, or to `path`. Throws `.fileWriteFileExists` when an item is there.
    func restore(_ item: TrashedItem, to path: ItemPath?) async throws
    /// Permanently removes one item from the trash, or with `nil` all of them.
    func emptyTrash(_ item: TrashedItem?) async throws
}

/// An item in a trash.
public struct TrashedItem: Hashable, Sendable, Codable, Identifiable {
    /// The trash's own identifier of the item.
    public var id: String
    /// Where the item was, if the trash records it.
    public var originalPath: ItemPath?
    /// When the item was removed.
    public var deletionDate: Date?
    /// The size in bytes.
    public var size: Int64?

    /// Creates an item as the trash describes it.
    public init(id: String, originalPath: ItemPath?, deletionDate: Date? = nil, size: Int64? = nil) {
        self.id = id
        self.originalPath = originalPath
        self.deletionDate = deletionDate
        self.size = size
    }
}
