import FileProviding

/// The result for one item.
public struct TransferReceipt: Sendable {
    /// The kinds of results.
    public enum Outcome: String, Sendable, Codable {
        /// Copied.
        case copied
        /// The target was already the same.
        case unchanged
        /// Skipped because of a rule, or because it cannot be copied.
        case skipped
        /// A directory was created.
        case created
        /// A file of a mirror was moved, because it had been moved at the source.
        case moved
        /// An item that the source does not have was removed.
        case deleted
        /// The item was not processed; see the error.
        case failed
    }

    /// The source's path.
    public var source: ItemPath
    /// The target's path.
    public var target: ItemPath
    /// The kind of result.
    public var outcome: Outcome
    /// The size in bytes of a source that needed no copy, where it is known.
    public var size: Int64?
    /// Bytes copied.
    public var bytes: Int64 = 0
    /// The number of bytes that an interrupted run had already copied.
    public var resumedAt: Int64 = 0
    /// Whether the storage copied a directory with everything in it.
    public var isWholeDirectory = false
    /// The number of files in such a directory; `nil` if counting them would take long.
    public var wholeDirectoryFiles: Int?
    /// Whether the item was skipped although no rule says so, because it is of a kind that cannot be copied there.
    public var isUnfit = false
    /// Whether it is about the removal of an item that the source does not have; both paths are the target's then.
    public var isRemoval = false
    /// Whether nothing was done, and the receipt shows what a run would do.
    public var isPlanned = false
    /// How the copy was verified, if one was made.
    public var assurance: Assurance?
    /// Why the item was skipped, or in what respect it was the same.
    public var note: String?
    /// The error, if the item failed.
    public var error: (any Error)?
}

extension TransferReceipt {
    /// Creates a receipt as a transfer would, for previews, and for tests of code that displays receipts.
    public init(_ outcome: Outcome, from source: ItemPath, to target: ItemPath) {
        self.init(source: source, target: target, outcome: outcome)
    }
}
