import FileProviding

/// Options for copying.
public struct TransferOptions: Sendable {
    /// What to do with an existing file that is not the same.
    public enum ConflictRule: String, Sendable, Codable, CaseIterable {
        /// Report it as an error and copy the rest.
        case refuse
        /// Replace it.
        case overwrite
        /// Leave it unchanged.
        case skip
        /// Replace it when the source is newer.
        case update
    }

    /// How to verify a copied file.
    public enum Verification: String, Sendable, Codable, CaseIterable {
        /// By hash if both ends report one without reading the file again, otherwise by size. Of a copy that a storage
        /// makes of its own file, only the size is compared, if the storage tells it.
        case automatic
        /// Not at all.
        case none
        /// By size.
        case size
        /// By hash: it is computed while the bytes are transferred, and compared with those that the source and the
        /// destination report; if the destination reports none, the copy is read.
        case hash
        /// By reading both ends again.
        case readback
    }

    /// What to do with symbolic links.
    public enum SymlinkRule: String, Sendable, Codable, CaseIterable {
        /// Create a link if the destination supports links, otherwise skip it with a notice.
        case copy
        /// Copy what it points to.
        case follow
        /// Skip it.
        case skip
    }

    /// What to do with names that the destination cannot hold.
    public enum NameRule: String, Sendable, Codable, CaseIterable {
        /// Report them as errors and copy the rest.
        case refuse
        /// Give them other names, which the same rule maps back: `=fp=` and the percent-encoded name.
        case map
    }

    /// How often, and how soon, a file is tried again after a temporary failure. The providers' own retries come first.
    public struct RetryRule: Sendable, Hashable {
        /// Attempts at one file beyond the first.
        public var perFile = 3
        /// Attempts beyond the first, for all files together.
        public var inTransfer = 64
        /// The upper bound of the first pause; it doubles each time.
        public var firstPause = Duration.milliseconds(500)
        /// The upper bound of any pause.
        public var longestPause = Duration.seconds(15)
        /// The longest pause that is made because a storage requests it (HTTP's `Retry-After`); the other files wait as
        /// well.
        public var requestedPause = Duration.seconds(120)

        /// How long a storage may answer nothing at all before the transfer ends, counted from the first file that
        /// failed for that reason.
        public var outage = Duration.seconds(30)

        /// Creates a rule with the defaults.
        public init() {}
    }

    /// Whether directories are copied; if not, a directory is an error.
    public var recursive = false
    /// What to do with an existing file that is not the same.
    public var conflict = ConflictRule.refuse
    /// How to verify a copied file.
    public var verification = Verification.automatic
    /// What to do with symbolic links.
    public var symlinks = SymlinkRule.copy
    /// Which items to copy.
    public var filter = TransferFilter()
    /// What to do with names that the destination cannot hold.
    public var names = NameRule.refuse
    /// Whether new items get the source's permissions, if both ends have permissions, as far as the umask allows. A
    /// file that replaces another keeps the replaced file's permissions. The owner of a new directory can always write
    /// into it.
    public var keepsPermissions = true
    /// The settings of a mirror, which replaces items that differ and, if wanted, removes items that the source does
    /// not have; `nil` for a plain copy.
    public var mirror: MirrorRule?
    /// The number of files copied at once, at most four of them of 128 MiB or more; `nil` adapts to the capacity of
    /// each storage.
    public var concurrency: Int?
    /// The most bytes to transfer per second, or `nil` for no limit.
    public var bytesPerSecond: Int64?
    /// The most files to begin per second, or `nil` for no limit.
    public var filesPerSecond: Double?
    /// How often, and how soon, a file is tried again after a temporary failure.
    public var retries = RetryRule()
    /// Whether each file is flushed to the medium before it counts as copied.
    public var flush = false
    /// Whether files are removed from the source once their copy is verified; with ``Verification/none``, once it is
    /// there. Removing the folders that are then empty is up to the caller; if there is a journal, the transfer stays
    /// recorded until the caller has done so and reported it by ``Transfer/discard(_:in:)``.
    public var removesSources = false
    /// Whether every file has a receipt. If so, a storage is not asked to copy a whole directory by itself.
    public var reportsEachFile = false
    /// Whether only to report what would be done.
    public var dryRun = false

    /// Creates options with the defaults.
    public init() {}
}
