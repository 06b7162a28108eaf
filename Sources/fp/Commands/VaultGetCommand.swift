import ArgumentParser
import CloudCore
import FileProviders
import Foundation

/// `fp vault get`.
struct VaultGetCommand: InvokedCommand {
    static let configuration = CommandConfiguration(
        commandName: "get",
        abstract: "Write a file's contents to this machine: the vault's copy, or what the server has.",
        discussion: """
            A copy that is older than the version that the vault knows is fetched anew,
            and taken as it is where the server cannot be reached.

            Examples:
              fp vault get cloud:/notes/today.txt today.txt
              fp vault get cloud:/notes/today.txt - | less
            """)

    @Argument(help: "A file of a remote that has a vault: NAME:path.")
    var source: VaultArgument

    @Argument(help: "The file to be written; a file is replaced, a folder means inside it, - is standard output.")
    var file: PathArgument

    @OptionGroup var access: AccessOptions

    func run(in invocation: Invocation) async throws {
        try await invocation.withVault(source.location) { vault in
            let item = try await vault.existing(vault.path)
            guard !item.isDirectory else { throw FileError.isADirectory(vault.location.description) }
            try await fetch(item, in: vault, invocation)
            guard let copy = try await vault.core.localCopy(of: item.localID) else {
                throw Refusal(
                    vault.location.description, "no copy is here, and none could be fetched now",
                    remedy: "`fp vault sync` fetches it once the server can be reached", isAboutAccess: false)
            }
            if try await vault.core.syncRecords().contains(where: { $0.itemID == item.localID && $0.kind == .download })
            {
                invocation.messages.notice(
                    "\(vault.location.description): the server has another version, which cannot be fetched now")
            }
            if file.isDash { return try await write(copy, to: invocation.output) }
            try await naming(file) { try await LocalTarget(file, for: item.itemName).write(copy) }
        }
    }

    /// Fetches nothing if the local copy has the version that the vault knows, or if there is no room for another.
    private func fetch(_ item: Item, in vault: OpenVault, _ invocation: Invocation) async throws {
        do {
            try await vault.perform(.download(item.localID), in: invocation)
        } catch let error as CocoaError where error.code == .fileWriteOutOfSpace {
            guard try await vault.core.localCopy(of: item.localID) != nil else { throw error }
            invocation.messages.notice(
                "\(vault.location.description): from the copy that is here; the vault's disk has no room for another")
        }
    }

    private func write(_ copy: LocalPath, to output: StandardOutput) async throws {
        for try await chunk in try ByteStream(localFile: copy) {
            try Task.checkCancellation()
            try output.write(through: chunk)
        }
    }
}
