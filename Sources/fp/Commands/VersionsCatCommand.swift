import ArgumentParser
import FileProviders

/// `fp versions cat`.
struct VersionsCatCommand: InvokedCommand {
    static let configuration = CommandConfiguration(
        commandName: "cat",
        abstract: "Write an earlier version to standard output.",
        discussion: """
            Examples:
              fp versions cat cloud:report.odt ID > old.odt
            """)

    @OptionGroup var version: VersionArguments

    @OptionGroup var access: AccessOptions

    func run(in invocation: Invocation) async throws {
        try await invocation.with(version.location) { endpoint in
            let provider = try endpoint.versions()
            let version = try await provider.version(version.id, of: endpoint.path)
            for try await chunk in try await provider.read(version, of: endpoint.path, in: OperationContext()) {
                try invocation.output.write(Array(chunk))
            }
        }
    }
}
