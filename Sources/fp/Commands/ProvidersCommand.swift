import ArgumentParser
import FileProviders

/// `fp providers`.
struct ProvidersCommand: InvokedCommand {
    static let configuration = CommandConfiguration(
        commandName: "providers",
        abstract: "Show which providers there are and what they can do.",
        discussion: """
            The table is read off the code: a provider has a capability when it conforms to its protocol.

            Examples:
              fp providers
              fp providers --markdown
            """)

    @Flag(help: "Write the table as Markdown.")
    var markdown = false

    func run(in invocation: Invocation) async throws {
        let kinds = ProviderRegistry.standard.providers
        let header = [""] + kinds.map { $0.type }
        let schemes = ["scheme"] + kinds.map { kind in kind.schemes.map { "\($0):" }.joined(separator: " ") }
        let capabilities = ProviderCapability.allCases.map { capability in
            [capability.rawValue] + kinds.map { capability.holds(for: $0) ? "yes" : markdown ? "" : "-" }
        }
        if markdown {
            try invocation.output.line(row(header))
            try invocation.output.line(row(header.map { _ in "---" }))
            for cells in [schemes] + capabilities { try invocation.output.line(row(cells)) }
        } else {
            var table = TextTable(header.map { _ in .left })
            ([header, schemes] + capabilities).forEach { table.add($0) }
            try table.lines.forEach(invocation.output.line)
        }
    }

    private func row(_ cells: [String]) -> String { "| " + cells.joined(separator: " | ") + " |" }
}
