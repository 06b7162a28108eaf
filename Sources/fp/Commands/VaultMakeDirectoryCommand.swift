import ArgumentParser
import CloudCore

/// `fp vault mkdir`.
struct VaultMakeDirectoryCommand: InvokedCommand {
    static let configuration = CommandConfiguration(
        commandName: "mkdir",
        abstract: "Make folders, now or once the server can be reached.",
        discussion: """
            Examples:
              fp vault mkdir cloud:/notes/2026
              fp vault mkdir -p cloud:/notes/2027/january
            """)

    @Argument(help: "Folders of remotes that have a vault: NAME:path.")
    var locations: [VaultArgument]

    @Flag(name: .short, help: "Make missing parents too; an existing folder is fine.")
    var parents = false

    @OptionGroup var access: AccessOptions

    func run(in invocation: Invocation) async throws {
        for location in locations {
            try await invocation.withVault(location.location) { vault in
                if parents { return try await vault.makeFolders(vault.path, in: invocation) }
                let place = try await vault.place(of: vault.path)
                try await vault.perform(.createFolder(place.name, in: place.directory), in: invocation)
            }
        }
    }
}
