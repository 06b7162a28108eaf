extension FileProviderUndoable where Self: TrashProvider {
    /// Moves an item to the trash, so that ``undo()`` restores it.
    @discardableResult
    public func trashItem(path: ItemPath) async throws -> TrashedItem {
        let item = try await trash(path: path)
        await undoHistory.record(.remove(path), on: self, trashed: item)
        return item
    }
}
