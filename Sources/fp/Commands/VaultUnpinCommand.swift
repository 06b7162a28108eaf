import ArgumentParser
import CloudCore

/// `fp vault unpin`.
struct VaultUnpinCommand: InvokedCommand {
    static let configuration = CommandConfiguration(
        commandName: "unpin",
        abstract: "No longer keep copies of items here; those that were fetched for it are removed.",
        discussion: """
            Examples:
              fp vault unpin cloud:/notes
            """)

    @Argument(help: "Items of remotes that have a vault: NAME:path.")
    var locations: [VaultArgument]

    func run(in invocation: Invocation) async throws {
        for location in locations {
            try await invocation.withVault(location.location, alone: true) { vault in
                try await vault.core.setAvailableOffline(vault.existing(vault.path).localID, false)
                try await vault.core.followPolicies()
                guard let holder = try await vault.pinned(above: vault.path) else { return }
                throw Refusal(
                    vault.location.description,
                    "it stays with \(ShownName.escaped(vault.name(of: holder))), which is pinned",
                    isAboutAccess: false)
            }
        }
    }
}
