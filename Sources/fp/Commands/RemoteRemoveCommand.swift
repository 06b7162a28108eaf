import ArgumentParser
import CloudCore
import FileProviders

/// `fp remote remove`.
struct RemoteRemoveCommand: InvokedCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove", abstract: "Forget remotes and their secrets; what is stored there stays.",
        discussion: """
            Refused while a vault is kept of a remote: nothing would lead to it any more. \
            `fp remote add --replace` changes a remote that has one.

            Examples:
              fp remote remove home
            """)

    @Argument(help: "The remotes' names.")
    var names: [String]

    func run(in invocation: Invocation) async throws {
        for name in names {
            try await invocation.supervise {
                let entry = try invocation.access.remotes.existing(name)
                guard !Vault.exists(for: entry.id, in: invocation.environment.vaults) else {
                    throw Refusal(
                        ShownName.escaped(name), "a vault is kept of it",
                        remedy: "`fp vault sync` sends what waits there, `fp vault erase` removes it",
                        isAboutAccess: false)
                }
                try Vault.finishErasing(entry.id, in: invocation.environment.vaults)
                try invocation.access.remotes.remove(entry)
            }
        }
    }
}
