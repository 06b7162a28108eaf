import ArgumentParser
import CloudCore

/// `fp vault erase`.
struct VaultEraseCommand: InvokedCommand {
    static let configuration = CommandConfiguration(
        commandName: "erase", abstract: "Remove a vault with everything in it. The server's files stay.",
        discussion: """
            Refused while the vault holds changes that the server does not have, copies of what the server has lost, or \
            contents in its recovery folder, unless --discard says so, which also removes a vault that cannot be opened any more.

            Examples:
              fp vault erase cloud
            """)

    @Argument(help: "The remote's name.")
    var remote: VaultArgument

    @Flag(help: "Lose unsent changes, and what is in the recovery folder.")
    var discard = false

    func run(in invocation: Invocation) async throws {
        guard !discard else { return try await invocation.eraseVault(remote.location) { try Vault.erase($0, in: $1) } }
        // The removal of one may have been interrupted.
        guard invocation.hasVault(remote.location) else {
            return try await invocation.eraseVault(remote.location) { try Vault.finishErasing($0, in: $1) }
        }
        try await invocation.withVault(of: remote, alone: true) { vault in
            let unsent = try await vault.core.summary().unsent
            guard unsent == 0 else {
                throw Refusal(
                    vault.location.description,
                    "\(Count.text(unsent, "item has", "items have")) changes that the server does not have",
                    remedy: "send them: fp vault sync; or lose them: --discard", isAboutAccess: false)
            }
            if let loss = try await vault.core.issues().first(where: { $0.id.kind.isAboutLosses }) {
                throw Refusal(
                    vault.location.description,
                    "copies here may be all that is left: \(ShownName.escaped(loss.detail))",
                    remedy: "\(vault.answers); or lose them: --discard", isAboutAccess: false)
            }
            if let folder = try vault.core.vault.recovered {
                throw Refusal(
                    vault.location.description, "there are contents that nobody else may have in \(folder)",
                    remedy: "move them away; or lose them: --discard", isAboutAccess: false)
            }
            try vault.core.vault.erase()
        }
    }
}
