import ArgumentParser
import FileProviders

/// `fp trash empty`.
struct TrashEmptyCommand: InvokedCommand {
    static let configuration = CommandConfiguration(
        commandName: "empty",
        abstract: "Remove what is in the trash for good.",
        discussion: """
            Examples:
              fp trash empty
              fp trash empty --id ID cloud:
            """)

    @Argument(help: "A location on the storage; the working directory by default.")
    var location = LocationArgument.here

    @Option(help: "Only this item, as `fp trash list` names it.")
    var id: String?

    @OptionGroup var access: AccessOptions

    func run(in invocation: Invocation) async throws {
        try await invocation.with(location) { endpoint in
            let trash = try endpoint.trash()
            let item: TrashedItem? = if let id { try await trash.item(id) } else { nil }
            try await trash.emptyTrash(item)
        }
    }
}
