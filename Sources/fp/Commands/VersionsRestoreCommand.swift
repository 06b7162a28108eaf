import ArgumentParser

/// `fp versions restore`.
struct VersionsRestoreCommand: InvokedCommand {
    static let configuration = CommandConfiguration(
        commandName: "restore",
        abstract: "Make an earlier version the present one, which becomes an earlier one itself.",
        discussion: """
            Examples:
              fp versions restore cloud:report.odt ID
            """)

    @OptionGroup var version: VersionArguments

    @OptionGroup var access: AccessOptions

    func run(in invocation: Invocation) async throws {
        try await invocation.with(version.location) { endpoint in
            let provider = try endpoint.versions()
            let version = try await provider.version(version.id, of: endpoint.path)
            try await provider.restore(version, of: endpoint.path)
        }
    }
}
