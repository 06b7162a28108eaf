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
        /// By hash: computed while the bytes travel, compared with what the source and the destination know; where the
        /// destination knows none, the copy is read.
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

    /// What to do with names that the destination cannot hold.
    public enum NameRule: String, Sendable, Codable, CaseIterable {
        /// Name them as errors and copy the rest.
        case refuse
        /// Give them other names, which the same rule maps back: `=fp=` and the name percent-encoded.
        case map
    }

    /// How often, and how soon, what broke on the way is tried again. The providers' own repetitions come before.
    public struct RetryRule: Sendable, Hashable {
        /// Attempts at one file beyond the first.
        public var perFile = 3
        /// Attempts beyond the first at all files together.
        public var inTransfer = 64
        /// The upper bound of the first pause; it doubles each time.
        public var firstPause = Duration.milliseconds(500)
        /// The upper bound of any pause.
        public var longestPause = Duration.seconds(15)

        /// How long a storage may leave everything unanswered before the transfer ends, from the first file that failed
        /// for that.
        public var outage = Duration.seconds(30)

        /// The defaults above.
        public init() {}
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
    /// What to do with names that the destination cannot hold.
    public var names = NameRule.refuse
    /// Whether permissions are kept, where both ends have them. A new directory's owner may always write into it.
    public var keepsPermissions = true
    /// Replaces what differs and, if wanted, removes what the source does not have; `nil` for a plain copy.
    public var mirror: MirrorRule?
    /// Files under way at once; `nil` adapts to what each storage bears.
    public var concurrency: Int?
    /// Bytes that may pass each second, `nil` for any number.
    public var bytesPerSecond: Int64?
    /// Files that may be begun each second, `nil` for any number.
    public var filesPerSecond: Double?
    /// How often what broke on the way is tried again.
    public var retries = RetryRule()
    /// Whether each file is on the medium before it counts as copied.
    public var flush = false
    /// Whether files are removed from the source once their copy is verified. The folders that are empty then are the caller's to
    /// remove; until it has, and says so by ``Transfer/discard(_:in:)``, the transfer is remembered where there is a journal.
    public var removesSources = false
    /// Whether every file has a receipt. A storage that can copy a whole directory by itself is not asked to then.
    public var tellsOfEachFile = false
    /// Whether only to say what would be done.
    public var dryRun = false

    /// The defaults above.
    public init() {}
}
