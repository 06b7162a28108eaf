import ArgumentParser
import FileProviders

/// `fp share`.
struct ShareCommand: InvokedCommand {
    static let configuration = CommandConfiguration(
        commandName: "share",
        abstract: "Make a link that anyone can open.",
        discussion: """
            Example:
              fp share davs://anna@cloud.example/dav/photos/a.jpg
            """)

    @Argument(help: "Files or folders on a storage that can share.")
    var locations: [LocationArgument]

    @OptionGroup var access: AccessOptions

    func run(in invocation: Invocation) async throws {
        try await invocation.forEach(locations) { endpoint in
            let provider = try endpoint.capability(.sharing, as: (any FileProviderSharing).self)
            try invocation.output.line(try await provider.publicLink(to: endpoint.path).url.absoluteString)
        }
    }
}
