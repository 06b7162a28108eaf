/// What varies between servers of one kind of provider; found out by asking, once.
public struct ProviderCharacteristics: Sendable, Hashable, Codable {
    /// How finely modification times are kept, in nanoseconds; `nil` when they cannot be set.
    public var settableTimePrecision: Int64?
    /// The earliest modification time that can be set, where there is one: a file with an earlier one is written without it.
    public var earliestSettableTime: FileTime?
    /// How finely modification times are told, in nanoseconds.
    public var timePrecision: Int64 = 1_000_000_000
    /// Whether a range of a file can be read without the rest travelling.
    public var supportsRangeReads = true
    /// Whether a large read into a file takes several ways at once by itself, so that dividing it gains nothing.
    public var dividesReads = false
    /// Whether a file's length must be known before it is written.
    public var needsLength = false
    /// Hashes that come with attributes at no cost, best first.
    public var freeChecksums: [Checksum.Algorithm] = []
    /// Whether the hashes that are told are the storage's own, of the bytes that it has. Else they are what was sent with a
    /// file, and say nothing of how it arrived.
    public var computesChecksums = true
    /// Whether directories' tags change with everything below them.
    public var propagatesDirectoryETags = false
    /// Whether a recursive listing takes no more requests than that of one directory.
    public var listsTreesAtOnce = false
    /// Whether Unix permissions can be set.
    public var keepsPermissions = false
    /// The longest name in bytes, where there is a limit.
    public var maximumNameLength: Int?
    /// What the kind of provider can do and this server cannot, as far as that is known: it throws `.featureUnsupported`.
    public var lacks: Set<ProviderCapability> = []
    /// What the server calls itself, for people: `Apache mod_dav`.
    public var family: String?

    /// Nothing known.
    public init() {}
}
