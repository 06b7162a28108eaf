import ArgumentParser
import FileProviders

/// What `cp` and `mv` do with existing targets that are not the same.
struct ConflictOptions: ParsableArguments {
    @Flag(
        name: [.customShort("f"), .long],
        help: "Replace existing files, unless a hash, or size and time, say that they are the same.")
    var overwrite = false

    @Flag(help: "Leave existing files as they are.")
    var skipExisting = false

    @Flag(help: "Replace existing files that are older than their source.")
    var update = false

    func validate() throws {
        if [overwrite, skipExisting, update].filter(\.self).count > 1 {
            throw ValidationError("--overwrite, --skip-existing and --update exclude each other")
        }
    }

    /// The engine's rule.
    var rule: TransferOptions.ConflictRule {
        overwrite ? .overwrite : skipExisting ? .skip : update ? .update : .refuse
    }
}

/// How `cp`, `mv` and `sync` treat links and names, and verify copies.
struct CopyOptions: ParsableArguments {
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Files under way at once; by default what suits the storages.", valueName: "number")
    )
    var transfers: Int?

    @Option(
        help: """
            How to be sure of a copy: none, size, hash (the source's is computed while it travels) or readback (both ends \
            are read again). By default by hash where both ends know one without another read, else by size; mv by hash, \
            and by readback from a server without TLS that knows none.
            """)
    var verify: TransferOptions.Verification?

    @Option(help: "Symbolic links: copy them as links (default), follow them, or skip them.")
    var symlinks = TransferOptions.SymlinkRule.copy

    @Option(
        help: """
            Names that the destination cannot hold: refuse them (default), or map them to =fp= and the name \
            percent-encoded; the same option maps them back.
            """)
    var names = TransferOptions.NameRule.refuse

    @Option(
        name: .customLong("bwlimit"),
        help: ArgumentHelp("Bytes per second at most, with K, M, G = 1024 each: 60M.", valueName: "rate"))
    var bandwidth: ByteRate?

    @Flag(name: [.customShort("n"), .customLong("dry-run")], help: "Only say what would be done.")
    var dryRun = false

    @Flag(help: "Have each file on the medium before it counts (fsync).")
    var sync = false

    @Flag(help: "Write one JSON object per item, and a report at the end.")
    var json = false

    @Flag(name: .shortAndLong, help: "Say nothing but errors.")
    var quiet = false

    @Flag(name: .shortAndLong, help: "Name each item and how sure its copy is.")
    var verbose = false

    func validate() throws {
        if let transfers, !(1...1024).contains(transfers) {
            throw ValidationError("--transfers needs a number from 1 to 1024")
        }
        if quiet, verbose { throw ValidationError("-q and -v exclude each other") }
    }

    /// Returns the engine's options.
    ///
    /// - Parameters:
    ///   - verification: how to verify copies unless `--verify` says otherwise.
    ///   - conflicts: what to do with existing targets.
    func transferOptions(
        verification: TransferOptions.Verification, _ conflicts: ConflictOptions, _ access: AccessOptions
    ) -> TransferOptions {
        var options = TransferOptions()
        if let timeout = access.timeout { options.retries.outage = .seconds(timeout) }
        options.conflict = conflicts.rule
        options.concurrency = transfers
        options.verification = verify ?? verification
        options.symlinks = symlinks
        options.names = names
        options.bytesPerSecond = bandwidth?.bytesPerSecond
        options.dryRun = dryRun
        options.reportsEachFile = json || verbose
        options.flush = sync
        return options
    }
}

extension TransferOptions.Verification: ExpressibleByArgument {
    /// The values that can be given; `automatic` is the default and has no name.
    public static var allValueStrings: [String] { [none, size, hash, readback].map(\.rawValue) }

    /// Parses the name.
    public init?(argument: String) {
        guard Self.allValueStrings.contains(argument) else { return nil }
        self.init(rawValue: argument)
    }
}

extension TransferOptions.SymlinkRule: ExpressibleByArgument {}

extension TransferOptions.NameRule: ExpressibleByArgument {}

/// A number of bytes per second: digits, optionally followed by K, M or G for powers of 1024.
struct ByteRate: ExpressibleByArgument, Sendable {
    /// At least 1.
    let bytesPerSecond: Int64

    init?(argument: String) {
        let units: [Character: Double] = ["K": 1024, "M": 1_048_576, "G": 1_073_741_824]
        let unit = argument.last.flatMap { units[Character($0.uppercased())] }
        guard let number = Double(unit == nil ? argument : String(argument.dropLast())),
            number > 0, let bytes = Int64(exactly: (number * (unit ?? 1)).rounded()), bytes > 0
        else { return nil }
        bytesPerSecond = bytes
    }
}
