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
            them.

            Examples:
              fp cp -r photos davs://anna@cloud.example/dav/photos
              fp cp --update -r home:photos backup/photos
              fp cp -r --exclude .git --verify hash . home:project
            """)

    @Argument(help: "What to copy, and last where to.")
    var locations: [LocationArgument]

    @Flag(name: .shortAndLong, help: "Copy folders with everything below them.")
    var recursive = false

    @OptionGroup var conflicts: ConflictOptions
    @OptionGroup var copying: CopyOptions
    @OptionGroup var filter: FilterOptions
    @OptionGroup var access: AccessOptions
    @OptionGroup var destinationSecrets: DestinationSecretOptions

    func validate() throws {
        guard locations.count >= 2 else { throw ValidationError("Missing a destination: fp cp SOURCE ... DESTINATION") }
    }

    func run(in invocation: Invocation) async throws {
        invocation.messages.isQuiet = copying.quiet
        invocation.access.destinationSecrets = destinationSecrets
        var options = copying.transferOptions(verification: .automatic, conflicts, invocation.access.options)
        options.recursive = recursive
        options.filter = filter.filter(orderedBy: invocation.arguments)
        let plan = try await invocation.plan(json: copying.json) { endpoints in
            for location in locations.dropLast() { endpoints.append(try invocation.access.open(location)) }
            endpoints.append(try invocation.access.open(locations[locations.count - 1], as: .destination))
            return try await CopyPlan(endpoints, options)
        }
        try await plan?.run(invocation, copying, verb: copying.dryRun ? "to copy" : "copied")
    }
}
