/// The characteristics that vary between servers of one kind of provider; determined once, by asking the server.
public struct ProviderCharacteristics: Sendable, Hashable, Codable {
    /// The precision with which modification times can be set, in nanoseconds; `nil` when they cannot be set.
    public var settableTimePrecision: Int64?
    /// The earliest modification time that can be set, if there is a limit; a file with an earlier one is written
    /// without it.
    public var earliestSettableTime: FileTime?
    /// The precision with which modification times are reported, in nanoseconds.
    public var timePrecision: Int64 = 1_000_000_000
    /// Whether a range of a file can be read without transferring the rest.
    public var supportsRangeReads = true
    /// Whether a large read into a file already uses several connections or requests at once, so that splitting it
    /// gains nothing.
    public var dividesReads = false
    /// The hashes that come with attributes at no extra cost, best first.
    public var freeChecksums: [Checksum.Algorithm] = []
    /// Whether the reported hashes are computed by the storage from the bytes that it holds. Otherwise they are those
    /// sent along with a file, and say nothing about how it arrived.
    public var computesChecksums = false
    /// Whether directories' tags change with everything below them.
    public var propagatesDirectoryETags = false
    /// Whether a recursive listing takes no more requests than listing one directory.
    public var listsTreesAtOnce = false
    /// Whether Unix permissions can be set.
    public var keepsPermissions = false
    /// The longest name in bytes, where there is a limit.
    public var maximumNameLength: Int?
    /// What this kind of provider can do but this server cannot, as far as known; trying it throws
    /// `.featureUnsupported`.
    public var lacks: Set<ProviderCapability> = []
    /// What the server calls itself, for display: `Apache mod_dav`.
    public var family: String?

    /// Creates characteristics with nothing known.
    public init() {}
}

extension ProviderCharacteristics {
    /// Returns whether this modification time can be set, if any can.
    package func isSettable(_ time: FileTime) -> Bool {
        earliestSettableTime.map { time >= $0 } ?? true
    }

    /// Returns whether a file that is written keeps this modification time.
    package func keeps(_ time: FileTime) -> Bool { settableTimePrecision != nil && isSettable(time) }

    /// Returns the precision of a time, in nanoseconds: down to a microsecond as its digits tell if it has a fraction
    /// of a second, even if the storage reports other times in whole seconds.
    package func precision(of time: FileTime?) -> Int64 {
        guard let time, time.subsecond != 0 else { return timePrecision }
        return min(timePrecision, max(1_000, time.granularity))
    }
}
