import ArgumentParser

/// `fp share end`.
struct ShareEndCommand: InvokedCommand {
    static let configuration = CommandConfiguration(
        commandName: "end",
        abstract: "End shares of an item.",
        discussion: """
            Examples:
              fp share end cloud:project ID
            """)

    @Argument(help: "The shared file or folder.")
    var location: LocationArgument

    @Argument(help: "The shares, as `fp share list` names them.")
    var ids: [String]

    @OptionGroup var access: AccessOptions

    func run(in invocation: Invocation) async throws {
        try await invocation.with(location) { endpoint in
            let provider = try endpoint.shares()
            let shares = try await provider.shares(of: endpoint.path)
            for id in ids {
                guard let share = shares.first(where: { $0.id == id }) else {
                    throw Refusal(
                        ShownName.escaped(id), "no such share of this item", remedy: "see `fp share list`",
                        isAboutAccess: false)
                }
                try await provider.removeShare(share)
            }
        }
    }
}
