import ArgumentParser
import FileProviders

/// `fp mkdir`.
struct MakeDirectoryCommand: InvokedCommand {
    static let configuration = CommandConfiguration(
        commandName: "mkdir",
        abstract: "Make folders.",
        discussion: """
            Examples:
              fp mkdir photos/2026
              fp mkdir -p davs://anna@cloud.example/dav/a/b/c
            """)

    @Argument(help: "The folders to make.")
    var locations: [LocationArgument]

    @Flag(name: .short, help: "Make missing parents too; an existing folder is fine.")
    var parents = false

    @OptionGroup var access: AccessOptions

    func run(in invocation: Invocation) async throws {
        try await invocation.forEach(locations) { endpoint in
            if !parents, try await endpoint.provider.itemExists(path: endpoint.path) {
                throw FileError.exists(endpoint.path)
            }
            try await endpoint.provider.createDirectory(path: endpoint.path, createsParents: parents)
        }
    }
}
