import FileProviding

/// How to copy.
public struct TransferOptions: Sendable {
    /// What to do with an existing file that is not the same.
    public enum ConflictRule: String, Sendable, Codable, CaseIterable {
        /// Name it as an error and copy the rest.
        case refuse
        /// Replace it.
        case overwrite
        /// Leave it.
        case skip
        /// Replace it when the source is newer.
        case update
    }

    /// How to be sure of a copied file.
    public enum Verification: String, Sendable, Codable, CaseIterable {
        /// By hash where both ends tell one without another read, else by size.
        case automatic
        /// Not at all.
        case none
        /// By size.
        case size
        /// By hash: the source's is computed while streaming, the destination's is asked for.
        case hash
        /// By reading both ends again.
        case readback
    }

    /// What to do with symbolic links.
    public enum SymlinkRule: String, Sendable, Codable, CaseIterable {
        /// Make a link where the destination can, else skip it with a notice.
        case copy
        /// Copy what it points to.
        case follow
        /// Leave it out.
        case skip
    }

    /// Whether directories are copied; without it, one is an error.
    public var recursive = false
    /// What to do with an existing file that is not the same.
    public var conflict = ConflictRule.refuse
    /// How to be sure of a copied file.
    public var verification = Verification.automatic
    /// What to do with symbolic links.
    public var symlinks = SymlinkRule.copy
    /// Which items take part.
    public var filter = TransferFilter()
    /// Files under way at once; `nil` leaves it to the engine.
    public var concurrency: Int?
    /// Whether each file is on the medium before it counts as copied.
    public var flush = false
    /// Whether sources are removed once their copy is verified.
    public var removesSources = false
    /// Whether only to say what would be done.
    public var dryRun = false

    /// The defaults above.
    public init() {}
}
