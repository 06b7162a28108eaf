import FileProviding

/// What holds for one provider on one kind of server; declared, so that the contract can hold the provider to it.
public struct ContractExpectations: Sendable {
    /// What the provider can do here. The conformances behind everything else must be missing.
    public var has = ContractCapability.basic
    /// What the provider could do, but this server cannot: refused with `.featureUnsupported` before anything is sent.
    public var refuses: Set<ContractCapability> = []

    /// The names that this storage cannot hold. They must be refused with an error, never altered.
    public var refusesName: @Sendable (ItemName) -> Bool = { _ in false }
    /// The names that a directory cannot have, beside those.
    public var refusesDirectoryName: @Sendable (ItemName) -> Bool = { _ in false }
    /// The names that can be written but not be moved or copied to, beside those.
    public var refusesDestinationName: @Sendable (ItemName) -> Bool = { _ in false }
    /// Whether `a` and `A` are two items.
    public var isCaseSensitive = true
    /// Whether a composed and a decomposed `é` are two items.
    public var distinguishesNormalization = true
    /// Whether items have, on the ``ContractSandbox/localView``, the names that the provider gave them.
    public var storesNamesVerbatim = true

    /// Whether a directory without anything in it exists; on some storages directories are made of their files' paths.
    public var keepsEmptyDirectories = true
    /// Whether listings tell sizes, times and tags; on some storages only the item asked alone does.
    public var listsDetails = true

    /// How finely modification times can be set, in nanoseconds; `nil` when they cannot.
    public var settableTimePrecision: Int64? = 1
    /// The earliest modification time that can be set, where there is one; a file with an earlier one is written without it.
    public var earliestSettableTime: FileTime?
    /// Whether Unix permissions can be set.
    public var keepsPermissions = false
    /// Whether an upload in parts can be begun before its length is known.
    public var resumesUnknownLengths = true
    /// Whether an upload in parts takes its attributes when it is committed; else it takes them when it begins.
    public var takesAttributesAtCommit = true
    /// Whether a file's version (tag, size and time) tells any two writes apart, however quickly they follow.
    public var versionsTellEveryChange = true
    /// Whether a write that expects a version is refused when the file is another by now.
    public var checksExpectedVersions = true
    /// Whether of several writers that may not overwrite, exactly one succeeds, however closely they race. Servers that first
    /// look whether a name is free and then rename let two succeed now and then, of whom the last keeps its bytes.
    public var decidesRaces = true
    /// Whether an item whose move a lost connection interrupts is in one of the two places. With servers that may replace what
    /// stands in the way, a file is given its new name before it loses the old one, and may have both then.
    public var movesInOneStep = true
    /// Whether the storage tells how large it is, or how much of it is used.
    public var tellsVolume = true

    /// The most entries on a page of a listing, where it is known and small enough to see several.
    public var pageSize: Int?
    /// How many entries the large directory has.
    public var largeDirectory = 10_000
    /// How large the large file is, in bytes; beyond 4 GiB only where a local view can make it sparse.
    public var largeFile: Int64 = 8 << 20
    /// Whether the provider answers for bytes as they come, so that a large file needs little memory.
    public var streamsFiles = true
    /// Whether the monitor tells each change; one that polls only tells what is different at last.
    public var monitorTellsEachChange = true
    /// How long a change may take to be told.
    public var monitorPatience = Duration.seconds(20)
    /// The hashes that the storage knows.
    public var checksums: Set<Checksum.Algorithm> = []

    /// Requests per operation, for providers that send any.
    public var budget = RequestBudget()
    /// How many requests a provider has sent so far.
    public var requestCount: (@Sendable (any FileProviderBasic) -> Int)?
    /// A provider whose server cannot be reached.
    public var unreachable: (@Sendable () async throws -> any FileProvider)?

    /// A provider like the given one whose connections go through a ``FaultProxy`` with these faults; for remote providers.
    ///
    /// Let it give up a silent server after a few seconds, and try again at least once after a short pause.
    public var faulty:
        (
            @Sendable (_ original: any FileProviderBasic, _ faults: @escaping @Sendable (Int) -> FaultProxy.Faults)
                async throws -> (provider: any FileProvider, proxy: FaultProxy)
        )?

    /// How many cases run at once.
    public var parallelCases = 8
    /// How long a case may take.
    public var deadline = Duration.seconds(240)

    /// How many of eleven entries come before the second page.
    var entriesBeforeFailure: Int { min(pageSize ?? 11, 11) }

    /// A storage that reads, writes, creates, copies, moves and removes, with exact names and nanosecond times.
    public init() {}
}

/// How many requests an operation may take.
public struct RequestBudget: Sendable {
    /// Each page of a listing.
    public var listingPage = 1
    /// Attributes of one item.
    public var attributes = 1
    /// Reading a small file.
    public var read = 1
    /// Writing a small new file into a directory that is known to exist; 2 where the server cannot write atomically.
    public var write = 1
    /// Creating a directory.
    public var create = 1
    /// Copying a file within the provider.
    public var copy = 1
    /// Moving a file.
    public var move = 1
    /// Removing a file.
    public var remove = 1

    /// One request each.
    public init() {}
}
