import ArgumentParser
import CloudCore
import FileProviders

/// `fp vault put`.
struct VaultPutCommand: InvokedCommand {
    static let configuration = CommandConfiguration(
        commandName: "put",
        abstract: "Put a file into a vault, which sends it now or once the server can be reached.",
        discussion: """
            A file that is there already gets the new contents; if somebody else has changed it on the server, the
            conflict is asked about.

            Examples:
              fp vault put today.txt cloud:/notes
            """)

    @Argument(help: "A file of this machine; - is standard input.")
    var file: PathArgument

    @Argument(help: "What it becomes, NAME:path; a folder means inside it.")
    var target: VaultArgument

    @OptionGroup var access: AccessOptions

    func run(in invocation: Invocation) async throws {
        try await invocation.withVault(target.location) { vault in
            let contents = try await contents()
            var path = vault.path
            if let folder = try await vault.core.item(at: path), folder.isDirectory {
                guard !file.isDash else { throw Refusal.namelessStandardInput("-") }
                let name = file.path.bytes.split(separator: UInt8(ascii: "/")).last
                path = path.appending(try ItemName(validating: name ?? []))
            } else if path.namesDirectory {
                guard try await vault.core.item(at: path) == nil else { throw FileError.notADirectory(path) }
                throw Refusal.missingFolder(of: vault.location.description, isInVault: true)
            }
            guard let existing = try await vault.core.item(at: path) else {
                let place = try await vault.place(of: path)
                return try await vault.perform(
                    .upload(contents, as: place.name, in: place.directory), at: path, in: invocation)
            }
            try await vault.perform(.modify(existing.localID, contents), at: path, in: invocation)
        }
    }

    private func contents() async throws -> ByteStream {
        guard file.isDash else { return try await naming(file) { try ByteStream(localFile: file.path) } }
        return try await StreamProvider.standardInput(as: "/-").read(path: "/-", range: .all).bytes
    }
}
