import FileProviding

/// What happened to one item.
public struct TransferReceipt: Sendable {
    /// How it ended.
    public enum Outcome: String, Sendable, Codable {
        /// Copied.
        case copied
        /// The target was the same already.
        case unchanged
        /// Left out, by a rule or because it is unfit.
        case skipped
        /// A directory was made.
        case created
        /// A file of a mirror was moved, since it had moved at the source.
        case moved
        /// What the source does not have was removed.
        case deleted
        /// Not done; see the error.
        case failed
    }

    /// The source's path.
    public var source: ItemPath
    /// The target's path.
    public var target: ItemPath
    /// How it ended.
    public var outcome: Outcome
    /// Bytes copied.
    public var bytes: Int64 = 0
    /// How many bytes an interrupted run had copied before.
    public var resumedAt: Int64 = 0
    /// Whether a directory was copied with everything in it, by its storage.
    public var isWholeDirectory = false
    /// Whether it was skipped although no rule said so: it is nothing that can be copied there.
    public var isUnfit = false
    /// Whether nothing was done: it is what a run would do.
    public var isPlanned = false
    /// How sure the copy is, for one that was made.
    public var assurance: Assurance?
    /// Why it was skipped or how it was the same.
    public var note: String?
    /// What went wrong.
    public var error: (any Error)?
}

extension TransferReceipt {
    /// A receipt as a transfer would give it, for previews and tests of what shows them.
    public init(_ outcome: Outcome, from source: ItemPath, to target: ItemPath) {
        self.init(source: source, target: target, outcome: outcome)
    }
}

/// How sure a copy is.
public enum Assurance: Sendable, Hashable, CustomStringConvertible {
    /// Both ends have this hash.
    case hash(Checksum.Algorithm)
    /// Both ends were read and are equal byte for byte, by SHA-256.
    case readback
    /// Both ends have this size.
    case size
    /// Not checked, and why.
    case unverified(String)

    /// `verified by SHA256`, `verified by size`, `unverified: …`.
    public var description: String {
        switch self {
        case .hash(let algorithm): "verified by \(algorithm.rawValue)"
        case .readback: "verified by reading back"
        case .size: "verified by size"
        case .unverified(let reason): "unverified: \(reason)"
        }
    }
}

/// What a transfer tells while it runs.
public enum TransferEvent: Sendable {
    /// A file is being copied; its progress counts bytes.
    case began(source: ItemPath, size: Int64?, progress: OperationProgress)
    /// An item is done with, in whatever way.
    case ended(TransferReceipt)
    /// More was found: totals so far.
    case found(files: Int, bytes: Int64)
}
