/// A provider that can undo what was done through it.
public protocol FileProviderUndoable: FileProviderOperations {
    /// The operations that were done and undone. Foundation's `UndoManager` does not exist on Linux.
    var undoHistory: UndoHistory { get }

    /// Returns whether an operation of this kind can be undone. A removal can only be undone where there is a trash,
    /// and if ``trashItem(path:)`` did it. What ran with `overwrite` is not recorded: it may have replaced something.
    func canUndo(_ operation: FileOperationType) -> Bool
}

extension FileProviderUndoable {
    /// Undoes the last operation. Does nothing when there is none, or while another one is being undone or redone.
    ///
    /// - Throws: what undoing throws, such as `.fileWriteFileExists` when something else is at the old path by now; the
    ///   operation then stays undoable.
    public func undo() async throws { try await undoHistory.undo(on: self) }

    /// Redoes the operation that was undone last. Does nothing when there is none, or while another one is being undone
    /// or redone.
    public func redo() async throws { try await undoHistory.redo(on: self) }
}
