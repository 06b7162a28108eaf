import ArgumentParser
import FileProviders
import Foundation

/// `fp touch`.
struct TouchCommand: InvokedCommand {
    static let configuration = CommandConfiguration(
        commandName: "touch",
        abstract: "Make empty files.",
        discussion: """
            An existing file is left as it is, and named as an error: its time cannot be set without writing it anew.

            Examples:
              fp touch photos/.nomedia
            """)

    @Argument(help: "The files to make.")
    var locations: [LocationArgument]

    @OptionGroup var access: AccessOptions

    func run(in invocation: Invocation) async throws {
        try await invocation.forEach(locations) { endpoint in
            do {
                _ = try await endpoint.provider.write(path: endpoint.path, from: ByteStream(Data()))
            } catch let error where error.isFileExists {
                throw Refusal(
                    endpoint.location.description, "it exists, and its time cannot be set without writing it anew",
                    isAboutAccess: false)
            }
        }
    }
}
