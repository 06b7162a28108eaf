import ArgumentParser

/// `fp trash restore`.
struct TrashRestoreCommand: InvokedCommand {
    static let configuration = CommandConfiguration(
        commandName: "restore",
        abstract: "Put an item back where it was.",
        discussion: """
            Examples:
              fp trash restore ID cloud:
            """)

    @Argument(help: "The item, as `fp trash list` names it.")
    var id: String

    @Argument(help: "A location on the storage; the working directory by default.")
    var location = LocationArgument.here

    @OptionGroup var access: AccessOptions

    func run(in invocation: Invocation) async throws {
        try await invocation.with(location) { endpoint in
            let trash = try endpoint.trash()
            try await trash.restore(try await trash.item(id), to: nil)
        }
    }
}
