import ArgumentParser
import FileProviders

/// `fp cp`.
struct CopyCommand: InvokedCommand {
    static let configuration = CommandConfiguration(
        commandName: "cp",
        abstract: "Copy files and trees between any two locations.",
        discussion: """
            A single folder becomes the destination and is merged with it if it exists; a destination that ends in a slash \
            means inside. Several sources, or a file onto a folder, go inside. Running the command again addresses the \
            same targets: what is the same already is left as it is, and anything else that exists is an error, unless \
            --overwrite, --skip-existing or --update says what to do; the rest is still copied.

            Files appear under their names complete or not at all, with their modification times where the storage keeps \
            them, and their permissions where it has some.

            A source that is -, a pipe, a device or a link to one is read to its end; - as the destination is standard \
            output. A file of that name is ./- then.

            Examples:
              fp cp -r photos davs://anna@cloud.example/dav/photos
              fp cp --update -r home:photos backup/photos
              fp cp -r --exclude .git --verify hash . home:project
              tar c photos | fp cp - home:photos.tar
            """)

    @Argument(help: "What to copy, and last where to.")
    var locations: [LocationArgument]

    @Flag(name: [.short, .customShort("R"), .long], help: "Copy folders with everything below them.")
    var recursive = false

    @Flag(
        name: .customShort("p"),
        help: "Keep times and permissions, as cp does anyway as far as both ends have them: changes nothing.")
    var keepsAttributes = false

    @OptionGroup var conflicts: ConflictOptions
    @OptionGroup var copying: CopyOptions
    @OptionGroup var filter: FilterOptions
    @OptionGroup var access: AccessOptions
    @OptionGroup var destinationSecrets: DestinationSecretOptions

    func validate() throws {
        guard locations.count >= 2 else { throw ValidationError("Missing a destination: fp cp SOURCE ... DESTINATION") }
        if conflicts.update, sources.contains(where: { $0.bytes.elementsEqual("-".utf8) }) {
            throw ValidationError("standard input has no time that --update could compare: use --overwrite")
        }
        if isToStandardOutput, copying.json || recursive {
            throw ValidationError("standard output takes the bytes of files, and nothing beside them")
        }
    }

    private var isToStandardOutput: Bool {
        ["-", "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"].contains { destination.bytes.elementsEqual($0.utf8) }
    }

    func run(in invocation: Invocation) async throws {
        invocation.messages.isQuiet = copying.quiet
        invocation.access.destinationSecrets = destinationSecrets
        if isToStandardOutput { return try await print(in: invocation) }
        var options = copying.transferOptions(verification: .automatic, conflicts, invocation.access.options)
        options.recursive = recursive
        options.filter = filter.filter(orderedBy: invocation.arguments)
        let plan = try await invocation.plan(from: locations[0], json: copying.json) { endpoints in
            var unopened: [CopyPlan.Unopened] = []
            for (location, source) in try invocation.access.open(each: sources) {
                switch source {
                case .success(var source):
                    // A remote is a folder, even if its path leads to a link.
                    if source.isRemoteItself { source = source.at(source.path.asDirectory) }
                    endpoints.append(source.asStream(followsLinks: options.symlinks != .skip))
                case .failure(let error): unopened.append(CopyPlan.Unopened(location: location, error: error))
                }
            }
            // A stream cannot be read back: its copy is verified by the hash computed while copying.
            if endpoints.contains(where: \.isStream), options.verification == .readback { options.verification = .hash }
            endpoints.append(try invocation.access.open(destination, as: .destination))
            return try await CopyPlan(endpoints, options, unopened: unopened)
        }
        try await plan?.run(invocation, copying, verb: copying.dryRun ? "to copy" : "copied")
    }

    /// Writes the sources to standard output one after another, as `cat` does.
    private func print(in invocation: Invocation) async throws {
        let limit = copying.bandwidth.map {
            RateLimiter(perSecond: Double($0.bytesPerSecond), clock: invocation.transferEnvironment.clock)
        }
        try await invocation.forEach(sources) { source in
            guard !copying.dryRun else {
                return invocation.messages.say("would copy \(source.location.description) -> -")
            }
            try await invocation.print(source.asStream(), limit: limit)
        }
    }
}
