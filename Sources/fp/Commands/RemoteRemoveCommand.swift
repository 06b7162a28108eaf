import ArgumentParser
import FileProviders

/// `fp remote remove`.
struct RemoteRemoveCommand: InvokedCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove", abstract: "Forget remotes and their secrets; what is stored there stays.",
        discussion: """
            Examples:
              fp remote remove home
            """)

    @Argument(help: "The remotes' names.")
    var names: [String]

    func run(in invocation: Invocation) async throws {
        for name in names {
            try await invocation.supervise {
                try invocation.access.remotes.remove(try invocation.access.remotes.existing(name))
            }
        }
    }
}
