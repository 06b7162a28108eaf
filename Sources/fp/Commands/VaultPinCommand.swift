import ArgumentParser
import CloudCore

/// `fp vault pin`.
struct VaultPinCommand: InvokedCommand {
    static let configuration = CommandConfiguration(
        commandName: "pin",
        abstract: "Keep copies of items here, with everything below them now and later.",
        discussion: """
            What cannot be fetched now is fetched by a later `fp vault sync`.

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
                try await tellOfRest(vault, invocation)
            }
        }
    }

    /// Reports how many files are still to be downloaded, and what the server has refused.
    private func tellOfRest(_ vault: OpenVault, _ invocation: Invocation) async throws {
        let waiting = try await vault.core.syncRecords().filter { $0.kind == .download }
        if let first = waiting.first {
            let reason = try await vault.hindrance(of: first)
            let count = Count.text(waiting.count, "file is", "files are")
            let prospect = reason.map { "not fetched yet: \($0)" } ?? "fetched when the server can be reached"
            invocation.messages.notice("\(vault.location.description): pinned; \(count) \(prospect)")
        }
        for issue in try await vault.core.issues() {
            guard let id = issue.id.item, let path = try await vault.core.item(id)?.path,
                path == vault.path || path.relative(to: vault.path) != nil
            else { continue }
            invocation.failed(try await vault.refusal(for: issue))
        }
    }
}
