import ArgumentParser
import FileProviders

/// `fp ln`.
struct LinkCommand: InvokedCommand {
    static let configuration = CommandConfiguration(
        commandName: "ln",
        abstract: "Make a symbolic link.",
        discussion: """
            The target is stored as it is written; it need not exist. In a folder, the link is named like its target.

            Examples:
              fp ln -s 2026-11 photos/latest
            """)

    @Flag(name: .short, help: "Make a symbolic link; the only kind there is here.")
    var symbolic = false

    @Argument(help: "What the link points to.")
    var target: String

    @Argument(help: "The link, or the folder for it.")
    var location: LocationArgument

    @OptionGroup var access: AccessOptions

    func validate() throws {
        if !symbolic { throw ValidationError("only symbolic links can be made: fp ln -s TARGET LINK") }
    }

    func run(in invocation: Invocation) async throws {
        let target = LinkTarget(bytes: ArgumentText.decode(target))
        try await invocation.with(location) { endpoint in
            let provider = try endpoint.capability(.symlinks, as: (any FileProviderSymbolicLink).self)
            try await provider.create(symbolicLink: link(endpoint, target), withDestinationPath: target)
        }
    }

    private func link(_ endpoint: Endpoint, _ target: LinkTarget) async throws -> ItemPath {
        do {
            guard try await endpoint.provider.attributesOfItem(path: endpoint.path.asDirectory).isDirectory else {
                return endpoint.path
            }
        } catch let error where error.isNoSuchFile || error.isNotADirectory {
            guard !endpoint.path.namesDirectory else {
                throw Refusal.missingFolder(of: endpoint.location.description)
            }
            return endpoint.path
        }
        let name = target.bytes.split(separator: UInt8(ascii: "/")).last ?? []
        return endpoint.path.appending(try ItemName(validating: name))
    }
}
