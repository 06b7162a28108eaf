import FileProviding

/// What is expected of one provider on one kind of server, declared so that the contract can verify it.
public struct ContractExpectations: Sendable {
    /// The capabilities of the provider on this server. The conformances of all others must be missing.
    public var has = ContractCapability.basic
    /// The capabilities that the provider has but this server lacks: refused with `.featureUnsupported` before anything
    /// is sent. These count as missing, whether ``has`` names them or not.
    public var refuses: Set<ContractCapability> = []

    /// The names that this storage cannot hold. They must be refused with an error, never altered.
    public var refusesName: @Sendable (ItemName) -> Bool = { _ in false }
    /// The further names that a directory cannot have.
    public var refusesDirectoryName: @Sendable (ItemName) -> Bool = { _ in false }
    /// The further names that can be written but not be moved or copied to.
    public var refusesDestinationName: @Sendable (ItemName) -> Bool = { _ in false }
    /// Whether `a` and `A` are two items.
    public var isCaseSensitive = true
    /// Whether a composed and a decomposed `é` are two items.
    public var distinguishesNormalization = true
    /// Whether items have, on the ``ContractSandbox/localView``, the names that the provider gave them.
    public var storesNamesVerbatim = true

    /// Whether an empty directory exists; on some storages directories are derived from their files' paths.
    public var keepsEmptyDirectories = true
    /// Whether listings report sizes, times and tags; on some storages only looking up a single item does.
    public var listsDetails = true

    /// The precision with which modification times can be set, in nanoseconds; `nil` when they cannot be set.
    public var settableTimePrecision: Int64? = 1
    /// The earliest modification time that can be set, if there is a limit; a file with an earlier one is written
    /// without it.
    public var earliestSettableTime: FileTime?
    /// Whether Unix permissions can be set.
    public var keepsPermissions = false
    /// Whether an upload in parts can begin before its length is known.
    public var resumesUnknownLengths = true
    /// Whether an upload in parts takes its attributes when it is committed; otherwise it takes them when it begins.
    public var takesAttributesAtCommit = true
    /// Whether a file's version (tag, size and time) distinguishes any two writes, however quickly they follow each
    /// other.
    public var versionsDistinguishEveryWrite = true
    /// Whether a write that expects a version is refused when the file has another version by now, even if it got that
    /// while the write was on its way: for HTTP, whether the server honors `If-Match`.
    public var checksExpectedVersions = true
    /// Whether exactly one of several writers that may not overwrite succeeds, however closely they race. Servers that
    /// first check whether a name is free and then rename occasionally let two succeed, and the bytes of the last one
    /// stay.
    public var decidesRaces = true
    /// Whether an item whose move is interrupted by a lost connection is at exactly one of the two places. With servers
    /// whose move may replace an existing item, a file is given its new name before it loses the old one, and may then
    /// have both.
    public var movesInOneStep = true
    /// Whether the storage reports how large it is, or how much of it is used: `storageProperties` returns it. By default
    /// a provider's returns `nil`; this is `false` then.
    public var reportsVolume = true

    /// The most entries on a page of a listing, if it is known and small enough for a test to use several pages.
    public var pageSize: Int?
    /// The number of entries of the large directory.
    public var largeDirectory = 10_000
    /// The size of the large file, in bytes; beyond 4 GiB only where a local view can make it sparse.
    public var largeFile: Int64 = 8 << 20
    /// Whether the provider processes bytes as they arrive, so that a large file needs little memory.
    public var streamsFiles = true
    /// Whether the monitor reports each change; one that polls only reports the resulting differences.
    public var monitorReportsEachChange = true
    /// How long it may take until a change is reported.
    public var monitorPatience = Duration.seconds(20)
    /// The hashes that the storage knows.
    public var checksums: Set<Checksum.Algorithm> = []

    /// The requests per operation, for providers that send any.
    public var budget = RequestBudget()
    /// Returns how many requests a provider has sent so far.
    public var requestCount: (@Sendable (any FileProviderBasic) -> Int)?
    /// Creates a provider whose server cannot be reached.
    public var unreachable: (@Sendable () async throws -> any FileProvider)?

    /// Creates a provider like the given one whose connections go through a ``FaultProxy`` with these faults; for
    /// remote providers.
    ///
    /// It should give up a silent server after a few seconds, and try again at least once after a short pause.
    public var faulty:
        (
            @Sendable (_ original: any FileProviderBasic, _ faults: @escaping @Sendable (Int) -> FaultProxy.Faults)
                async throws -> (provider: any FileProvider, proxy: FaultProxy)
        )?

    /// The number of cases that run at once.
    public var parallelCases = 8
    /// The time limit of a case.
    public var deadline = Duration.seconds(240)

    /// The number of eleven entries that come before the second page.
    var entriesBeforeFailure: Int { min(pageSize ?? 11, 11) }

    /// Creates the expectations of a storage that reads, writes, creates, copies, moves and removes, with exact names
    /// and nanosecond times.
    public init() {}
}

/// The most requests that each operation may take.
public struct RequestBudget: Sendable {
    /// Each page of a listing.
    public var listingPage = 1
    /// Attributes of one item.
    public var attributes = 1
    /// Reading a small file.
    public var read = 1
    /// Writing a small new file into a directory that is known to exist; 2 if the server cannot write atomically.
    public var write = 1
    /// Creating a directory.
    public var create = 1
    /// Copying a file within the provider.
    public var copy = 1
    /// Moving a file.
    public var move = 1
    /// Removing a file.
    public var remove = 1

    /// Creates a budget of one request each.
    public init() {}
}
