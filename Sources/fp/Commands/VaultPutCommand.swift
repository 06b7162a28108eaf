import ArgumentParser
import CloudCore
import FileProviders

/// `fp vault put`.
struct VaultPutCommand: InvokedCommand {
    static let configuration = CommandConfiguration(
        commandName: "put",
        abstract: "Put a file into a vault, which sends it now or once the server can be reached.",
        discussion: """
            Examples:
              fp vault put today.txt cloud:/notes
            """)

    @Argument(help: "A file of this machine.")
    var file: PathArgument

    @Argument(help: "What it becomes, NAME:path; a folder means inside it.")
    var target: VaultArgument

    @OptionGroup var access: AccessOptions

    func run(in invocation: Invocation) async throws {
        try await invocation.withVault(target.location) { vault in
            let contents = try await here(file) { try ByteStream(localFile: file.path) }
            let existing = try await vault.core.item(at: vault.path)
            if let existing, !existing.isDirectory {
                guard !vault.path.namesDirectory else { throw FileError.notADirectory(vault.path) }
                return try await vault.perform(.modify(existing.localID, contents), in: invocation)
            }
            guard let existing else {
                guard !vault.path.namesDirectory else { throw Refusal.missingFolder(of: vault.location.description) }
                let place = try await vault.place(of: vault.path)
                return try await vault.perform(.upload(contents, as: place.name, in: place.directory), in: invocation)
            }
            let name = try ItemName(validating: file.path.bytes.split(separator: UInt8(ascii: "/")).last ?? [])
            if let inside = try await vault.core.item(at: vault.path.appending(name)) {
                return try await vault.perform(.modify(inside.localID, contents), in: invocation)
            }
            try await vault.perform(.upload(contents, as: name, in: existing.localID), in: invocation)
        }
    }
}
