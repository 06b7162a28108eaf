import ArgumentParser
import FileProviders

/// `fp share with`.
struct ShareWithCommand: InvokedCommand {
    static let configuration = CommandConfiguration(
        commandName: "with",
        abstract: "Share an item with people, or with groups.",
        discussion: """
            Examples:
              fp share with --allow read,update cloud:project maria
            """)

    @Argument(help: "A file or folder on a storage that can share.")
    var location: LocationArgument

    @Argument(help: "People, as `fp share find` names them.")
    var receivers: [String]

    @Flag(help: "They are groups.")
    var group = false

    @Option(help: ArgumentHelp("The last day.", valueName: "YYYY-MM-DD"))
    var expires: ShareDay?

    @Option(help: ShareAllowance.help)
    var allow: ShareAllowance?

    @OptionGroup var access: AccessOptions

    func run(in invocation: Invocation) async throws {
        try await invocation.with(location) { endpoint in
            let provider = try endpoint.shares()
            for receiver in receivers {
                let draft = ShareDraft(
                    receiver: Sharee(kind: group ? .group : .user, id: receiver), permissions: allow?.permissions,
                    expiration: expires?.date)
                try invocation.output.line(try await provider.createShare(of: endpoint.path, draft).id)
            }
        }
    }
}
