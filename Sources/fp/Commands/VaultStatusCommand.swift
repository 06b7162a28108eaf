import ArgumentParser
import CloudCore

/// `fp vault status`.
struct VaultStatusCommand: InvokedCommand {
    static let configuration = CommandConfiguration(
        commandName: "status",
        abstract: "Say what a vault holds and what is pending. Nothing is asked of the server.",
        discussion: """
            unsent: items with changes that the server does not have. waiting: commands that are not done, with what is to \
            be fetched. unlisted: folders that were never looked into; outdated: those to be looked into again. recovered: \
            the folder with contents that have no place on the server any more.

            Examples:
              fp vault status cloud
            """)

    @Argument(help: "The remote's name.")
    var remote: VaultArgument

    @Flag(help: "Write one JSON object.")
    var json = false

    func run(in invocation: Invocation) async throws {
        try await invocation.withVault(of: remote, alone: true) { vault in
            let summary = try await vault.core.summary()
            let issues = try await vault.core.issues().count
            let waiting = try await vault.core.syncRecords().count
            let (folder, recovered) = (vault.core.vault.folder, try vault.core.vault.recovered)
            if json {
                var line = JSONLine()
                line.add("folder", exact: folder.bytes)
                line.add("items", summary.items)
                line.add("copies", summary.copies)
                line.add("unsent", summary.unsent)
                line.add("waiting", waiting)
                line.add("unlisted", summary.unlisted)
                line.add("outdated", summary.outdated)
                line.add("issues", issues)
                if let recovered { line.add("recovered", exact: recovered.bytes) }
                return try invocation.output.write(line.line)
            }
            try invocation.output.write(
                """
                folder      \(ShownName.escaped(folder.bytes))
                items       \(summary.items)
                copies      \(summary.copies)
                unsent      \(summary.unsent)
                waiting     \(waiting)
                unlisted    \(summary.unlisted)
                outdated    \(summary.outdated)
                issues      \(issues)

                """)
            if let recovered { try invocation.output.line("recovered   \(ShownName.escaped(recovered.bytes))") }
        }
    }
}
