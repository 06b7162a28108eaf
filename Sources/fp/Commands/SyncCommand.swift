import ArgumentParser
import FileProviders

/// `fp sync`.
struct SyncCommand: InvokedCommand {
    static let configuration = CommandConfiguration(
        commandName: "sync",
        abstract: "Make a folder the mirror of another.",
        discussion: """
            What is new or differs is copied, and replaces what is there, even if that is newer; --backup-dir keeps it. \
            With --delete, what the source does not have is removed at the end, unless anything failed or the source is \
            empty; a file that only moved is moved at the destination where that can be recognised. The destination is \
            what the source becomes, with or without a final slash.

            Examples:
              fp sync photos davs://anna@cloud.example/dav/photos
              fp sync --delete --backup-dir home:attic photos home:photos
              fp sync --delete --dry-run home:photos photos
            """)

    @Argument(help: "The folder to be mirrored.")
    var source: LocationArgument

    @Argument(help: "The folder that becomes its mirror.")
    var destination: LocationArgument

    @Flag(help: "Remove what the source does not have.")
    var delete = false

    @Option(
        name: .customLong("backup-dir"),
        help: ArgumentHelp(
            "Move what is removed, and copy what is replaced, to this folder of the destination's storage.",
            valueName: "location"))
    var backup: LocationArgument?

    @Option(
        name: .customLong("max-delete"),
        help: ArgumentHelp("Remove nothing if it were more than this (default 50%).", valueName: "N|N%"))
    var maximumDeletions: DeletionLimit?

    @OptionGroup(visibility: .hidden) var conflicts: ConflictOptions
    @OptionGroup var copying: CopyOptions
    @OptionGroup var filter: FilterOptions
    @OptionGroup var access: AccessOptions
    @OptionGroup var destinationSecrets: DestinationSecretOptions

    func validate() throws {
        if conflicts.rule != .refuse {
            throw ValidationError("sync replaces what differs: --overwrite, --skip-existing and --update are for cp")
        }
        if maximumDeletions != nil, !delete { throw ValidationError("--max-delete needs --delete") }
    }

    func run(in invocation: Invocation) async throws {
        invocation.messages.isQuiet = copying.quiet
        invocation.access.destinationSecrets = destinationSecrets
        let plan = try await invocation.plan(from: source, json: copying.json) { endpoints in
            endpoints.append(try invocation.access.open(source))
            let target = try invocation.access.open(destination, as: .destination)
            endpoints.append(target.at(target.path.asItem))
            endpoints[0] = try await folder(at: endpoints[0])
            let backup = try backup.map { try invocation.access.open($0, as: .destination) }
            return try await CopyPlan(endpoints, options(invocation, backup), backup: backup)
        }
        try await plan?.run(invocation, copying, verb: copying.dryRun ? "to copy" : "copied")
    }

    /// Returns the folder to mirror; a link to a folder counts as that folder.
    private func folder(at source: Endpoint) async throws -> Endpoint {
        let folder = source.at(source.path.asDirectory)
        do {
            if try await folder.provider.attributesOfItem(path: folder.path).isDirectory { return folder }
        } catch  where error.isNoSuchFile {
            // A file does not exist as a folder.
            _ = try await source.provider.attributesOfItem(path: source.path.asItem)
        }
        throw FileError.notADirectory(source.location.description)
    }

    private func options(_ invocation: Invocation, _ backup: Endpoint?) -> TransferOptions {
        var options = copying.transferOptions(verification: .automatic, conflicts, invocation.access.options)
        options.recursive = true
        options.filter = filter.filter(orderedBy: invocation.arguments)
        var mirror = MirrorRule()
        mirror.deletes = delete
        mirror.maximumDeletions = maximumDeletions?.limit ?? mirror.maximumDeletions
        mirror.backup = backup?.transferEnd
        options.mirror = mirror
        return options
    }
}

/// A limit for removals: `20`, or `20%` of the items at the destination.
struct DeletionLimit: ExpressibleByArgument, Sendable {
    let limit: MirrorRule.Limit

    init?(argument: String) {
        if argument.hasSuffix("%") {
            guard let percent = Double(argument.dropLast()), (0...100).contains(percent) else { return nil }
            limit = .share(percent / 100)
        } else {
            guard let count = Int(argument), count >= 0 else { return nil }
            limit = .count(count)
        }
    }
}
