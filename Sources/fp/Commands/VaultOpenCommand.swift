import ArgumentParser
import CloudCore

/// `fp vault open`.
struct VaultOpenCommand: InvokedCommand {
    static let configuration = CommandConfiguration(
        commandName: "open",
        abstract: "Make a vault of a remote, and learn what the server has.",
        discussion: """
            Examples:
              fp remote add cloud davs://anna@cloud.example/dav/
              fp vault open cloud
            """)

    @Argument(help: "The remote's name.")
    var remote: VaultArgument

    @OptionGroup var access: AccessOptions

    func run(in invocation: Invocation) async throws {
        let location = try invocation.access.parse(remote.location)
        if case .remote(_, let path) = location.place { try invocation.access.requireWhole(location, path) }
        try await invocation.withVault(remote.location, creating: true) { vault in
            try await vault.look(in: invocation)
            try await vault.nameStuck(in: invocation)
            let count = try await vault.core.summary().items
            invocation.messages.notice("\(Count.text(count, "item")) in \(vault.core.vault.folder)")
        }
    }
}
