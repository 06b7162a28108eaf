import ArgumentParser
import FileProviders
import Foundation

/// `fp touch`.
struct TouchCommand: InvokedCommand {
    static let configuration = CommandConfiguration(
        commandName: "touch",
        abstract: "Make empty files, or set the time of what is there.",
        discussion: """
            What exists keeps its contents and gets the present time. Where a storage sets no times, as most WebDAV servers
            and symbolic links, that is an error.

            Examples:
              fp touch photos/.nomedia
            """)

    @Argument(help: "The files.")
    var locations: [LocationArgument]

    @OptionGroup var access: AccessOptions

    func run(in invocation: Invocation) async throws {
        try await invocation.forEach(locations) { endpoint in
            do {
                _ = try await endpoint.provider.write(path: endpoint.path, from: ByteStream(Data()))
            } catch let error where error.isFileExists || error.isADirectory {
                try await setTime(endpoint)
            }
        }
    }

    private func setTime(_ endpoint: Endpoint) async throws {
        let refusal = Refusal(
            endpoint.location.description, "it exists, and its time cannot be set", isAboutAccess: false)
        guard let provider = endpoint.provider as? any AttributeProvider else { throw refusal }
        do {
            try await provider.setAttributes(ItemAttributes(modificationTime: FileTime(Date())), of: endpoint.path)
        } catch let error where error.isUnsupported {
            throw refusal
        }
    }
}
