import FileProviding

/// What makes a copy a mirror: files that differ are replaced, and what the source does not have may be removed.
public struct MirrorRule: Sendable {
    /// How much may be removed in one run.
    public enum Limit: Sendable, Hashable {
        /// So many items.
        case count(Int)
        /// This part of what the destination had before the run, 0…1; what is left out by a filter as a whole directory
        /// does not count.
        case share(Double)

        func allows(_ count: Int, of total: Int) -> Bool {
            switch self {
            case .count(let most): count <= most
            case .share(let most): Double(count) <= most * Double(total)
            }
        }
    }

    /// Whether what the source does not have is removed. Never when anything failed, nor when the source is empty. A directory
    /// goes too where the source has a file, or the other way round; the new one is copied then.
    public var deletes = false
    /// Above this nothing at all is removed.
    public var maximumDeletions = Limit.share(0.5)
    /// A directory of the destination's storage, outside the destination, that takes what would be removed or replaced.
    public var backup: TransferEndpoint?

    /// Replaces, and removes nothing.
    public init() {}
}
