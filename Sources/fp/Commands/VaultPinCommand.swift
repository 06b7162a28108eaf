import ArgumentParser
import CloudCore

/// `fp vault pin`.
struct VaultPinCommand: InvokedCommand {
    static let configuration = CommandConfiguration(
        commandName: "pin",
        abstract: "Keep copies of items here, with everything below them now and later.",
        discussion: """
            Examples:
              fp vault pin cloud:/notes
            """)

    @Argument(help: "Items of remotes that have a vault: NAME:path.")
    var locations: [VaultArgument]

    @OptionGroup var access: AccessOptions

    func run(in invocation: Invocation) async throws {
        for location in locations {
            try await invocation.withVault(location.location) { vault in
                try await vault.core.setAvailableOffline(vault.existing(vault.path).localID, true)
                try await vault.core.followPolicies()
                try await vault.core.settle()
                try await vault.nameStuck(in: invocation)
            }
        }
    }
}
