/// A provider that can take back what was done through it.
public protocol FileProviderUndoable: FileProviderOperations {
    /// What has been done and undone. Foundation's `UndoManager` does not exist on Linux.
    var undoHistory: UndoHistory { get }

    /// Whether an operation of this kind can be taken back. Removing can only where there is a trash.
    func canUndo(_ operation: FileOperationType) -> Bool
}

extension FileProviderUndoable {
    /// Takes the last operation back. Does nothing when there is none.
    ///
    /// - Throws: what undoing throws, such as `.fileWriteFileExists` when something stands at the old place meanwhile; the
    ///   operation then stays undoable.
    public func undo() async throws { try await undoHistory.undo(on: self) }

    /// Does the last operation that was taken back again.
    public func redo() async throws { try await undoHistory.redo(on: self) }
}
