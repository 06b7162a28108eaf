import Foundation

extension FileProviderUndoable {
    /// Undoes the last operation.
    @discardableResult
    public func undo(completionHandler: @escaping SimpleCompletionHandler) -> Progress {
        callback().confirm(completionHandler) {
            try await undo()
        }
    }

    /// Redoes the operation that was undone last.
    @discardableResult
    public func redo(completionHandler: @escaping SimpleCompletionHandler) -> Progress {
        callback().confirm(completionHandler) {
            try await redo()
        }
    }
}

extension FileProviderUndoable where Self: TrashProvider {
    /// Moves an item to the trash, so that `undo` restores it.
    @discardableResult
    public func trashItem(
        path: ItemPath, completionHandler: @escaping @Sendable (_ item: TrashedItem?, _ error: (any Error)?) -> Void
    ) -> Progress {
        callback().answer(completionHandler) {
            try await trashItem(path: path)
        }
    }
}
