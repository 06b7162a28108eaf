import FileProviding

/// The settings that make a copy a mirror: files that differ are replaced, and items that the source does not have may
/// be removed.
public struct MirrorRule: Sendable {
    /// A limit for the removals in one run.
    public enum Limit: Sendable, Hashable {
        /// This many items.
        case count(Int)
        /// This share, 0…1, of the items that the destination had before the run; items in directories that a filter
        /// excludes do not count.
        case share(Double)

        func allows(_ count: Int, of total: Int) -> Bool {
            switch self {
            case .count(let most): count <= most
            case .share(let most): Double(count) <= most * Double(total)
            }
        }
    }

    /// Whether items that the source does not have are removed. Nothing is removed if anything failed, or if the source
    /// contains nothing but empty directories. A directory is also removed where the source has a file, or the other
    /// way round; the new item is then copied.
    public var deletes = false
    /// The limit above which nothing at all is removed.
    public var maximumDeletions = Limit.share(0.5)
    /// A directory on the destination's storage, outside the destination, that receives the items that would be removed
    /// or replaced.
    public var backup: TransferEndpoint?

    /// Creates a rule that replaces, and removes nothing.
    public init() {}
}
