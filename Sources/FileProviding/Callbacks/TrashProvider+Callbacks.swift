import Foundation

extension TrashProvider {
    /// Returns the items in the trash, newest first.
    @discardableResult
    public func trashedItems(
        completionHandler: @escaping @Sendable (_ items: [TrashedItem]?, _ error: (any Error)?) -> Void
    ) -> Progress {
        callback().answer(completionHandler) {
            try await trashedItems()
        }
    }

    /// Moves an item to the trash.
    @discardableResult
    public func trash(
        path: ItemPath, completionHandler: @escaping @Sendable (_ item: TrashedItem?, _ error: (any Error)?) -> Void
    ) -> Progress {
        callback().answer(completionHandler) {
            try await trash(path: path)
        }
    }

    /// Restores an item to where it was, or to `path`.
    @discardableResult
    public func restore(_ item: TrashedItem, to path: ItemPath?, completionHandler: @escaping SimpleCompletionHandler)
        -> Progress
    {
        callback().confirm(completionHandler) {
            try await restore(item, to: path)
        }
    }

    /// Permanently removes one item from the trash, or with `nil` all of them.
    @discardableResult
    public func emptyTrash(_ item: TrashedItem?, completionHandler: @escaping SimpleCompletionHandler) -> Progress {
        callback().confirm(completionHandler) {
            try await emptyTrash(item)
        }
    }
}
