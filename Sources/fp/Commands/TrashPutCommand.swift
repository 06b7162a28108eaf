import ArgumentParser

/// `fp trash put`.
struct TrashPutCommand: InvokedCommand {
    static let configuration = CommandConfiguration(
        commandName: "put",
        abstract: "Move items to the trash.",
        discussion: """
            Examples:
              fp trash put old.txt cloud:drafts/old.odt
            """)

    @Argument(help: "What to remove.")
    var locations: [LocationArgument]

    @OptionGroup var access: AccessOptions

    func run(in invocation: Invocation) async throws {
        try await invocation.forEach(locations) { endpoint in
            guard !endpoint.isNamedByDots else {
                throw Refusal(
                    endpoint.location.description, "“.” and “..” cannot be moved to the trash", isAboutAccess: false
                )
            }
            _ = try await endpoint.trash().trash(path: endpoint.path)
        }
    }
}
