import ArgumentParser
import CloudCore
import FileProviders

/// `fp vault rm`.
struct VaultRemoveCommand: InvokedCommand {
    static let configuration = CommandConfiguration(
        commandName: "rm",
        abstract: "Remove items, now or once the server can be reached.",
        discussion: """
            Examples:
              fp vault rm cloud:/notes/old.txt
            """)

    @Argument(help: "Items of remotes that have a vault: NAME:path.")
    var locations: [VaultArgument]

    @Flag(name: .short, help: "Remove folders with everything in them.")
    var recursive = false

    @OptionGroup var access: AccessOptions

    func run(in invocation: Invocation) async throws {
        for location in locations {
            try await invocation.withVault(location.location) { vault in
                let item = try await vault.existing(vault.path)
                guard !item.isDirectory || recursive else {
                    throw Refusal(vault.location.description, "is a folder", remedy: "use -r", isAboutAccess: false)
                }
                guard item.localID != .root else {
                    throw Refusal(vault.location.description, "that is the root", isAboutAccess: false)
                }
                try await vault.perform(.delete(item.localID), in: invocation)
            }
        }
    }
}
