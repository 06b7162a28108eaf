import ArgumentParser
import CloudCore
import FileProviders

/// `fp vault mv`.
struct VaultMoveCommand: InvokedCommand {
    static let configuration = CommandConfiguration(
        commandName: "mv",
        abstract: "Move or rename an item, now or once the server can be reached.",
        discussion: """
            Examples:
              fp vault mv cloud:/draft.txt cloud:/notes/final.txt
            """)

    @Argument(help: "An item of a remote that has a vault: NAME:path.")
    var source: VaultArgument

    @Argument(help: "Where it goes, on the same remote; an existing folder means inside it.")
    var target: VaultArgument

    @OptionGroup var access: AccessOptions

    func run(in invocation: Invocation) async throws {
        try await invocation.withVault(source.location) { vault in
            let item = try await vault.existing(vault.path)
            let path = try targetPath(invocation, of: vault)
            if let folder = try await vault.core.item(at: path), folder.isDirectory {
                return try await vault.perform(
                    .move(item.localID, to: folder.localID, as: item.itemName), in: invocation)
            }
            guard item.isDirectory || !path.namesDirectory else {
                throw Refusal.missingFolder(
                    of: try invocation.access.parse(target.location).description, isInVault: true)
            }
            let place = try await vault.place(of: path)
            try await vault.perform(.move(item.localID, to: place.directory, as: place.name), in: invocation)
        }
    }

    private func targetPath(_ invocation: Invocation, of vault: OpenVault) throws -> ItemPath {
        let location = try invocation.access.parse(target.location)
        guard case .remote(let name, let path) = location.place, case .remote(name, _) = vault.location.place else {
            throw Refusal(location.description, "not on the same remote", remedy: "use fp mv", isAboutAccess: false)
        }
        return path
    }
}
