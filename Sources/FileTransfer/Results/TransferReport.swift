/// The result of a whole transfer.
public struct TransferReport: Sendable {
    /// Files copied, including those in whole directories if they were counted.
    public var copied = 0
    /// Directories that the storage copied with everything in them.
    public var wholeDirectories = 0
    /// Files that were already the same.
    public var unchanged = 0
    /// Items skipped because of a rule, or because the destination has nothing of their kind.
    public var skipped = 0
    /// Directories created.
    public var directories = 0
    /// Files moved at the destination instead of copied.
    public var moved = 0
    /// Items removed.
    public var deleted = 0
    /// Bytes copied.
    public var bytes: Int64 = 0
    /// The items that were not processed, each with its error.
    public var failures: [TransferReceipt] = []
    /// Whether the transfer ended early because a storage no longer answered, or no longer accepted the credential
    /// or could be trusted; the failure that showed it is among
    /// ``failures``. Running the same plan continues from there.
    public var isCutShort = false
    /// The time from the beginning to the end.
    public var duration: Duration = .zero

    /// Creates an empty report.
    public init() {}

    /// Whether everything was done without a failure.
    public var isComplete: Bool { failures.isEmpty }

    /// Whether anything was made at the destination.
    var hasMade: Bool { copied + wholeDirectories + directories + moved > 0 }

    mutating func count(_ receipt: TransferReceipt) {
        bytes = bytes.addingSaturated(receipt.bytes)
        switch receipt.outcome {
        case .copied where receipt.isWholeDirectory:
            wholeDirectories += 1
            copied += receipt.wholeDirectoryFiles ?? 0
        case .copied: copied += 1
        case .unchanged: unchanged += 1
        case .skipped: skipped += 1
        case .created: directories += 1
        case .moved: moved += 1
        case .deleted: deleted += 1
        case .failed: failures.append(receipt)
        }
    }
}
