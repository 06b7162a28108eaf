import FileProviding

/// An event that a transfer reports while it runs.
public enum TransferEvent: Sendable {
    /// A file is being copied, or a directory in one operation; its progress counts bytes. If the latter fails, the
    /// directory is created and its files are copied instead.
    case began(source: ItemPath, size: Int64?, progress: OperationProgress)
    /// An item is finished, whatever the result.
    case ended(TransferReceipt)
    /// More files were found; these are the totals so far.
    case found(files: Int, bytes: Int64)
}
