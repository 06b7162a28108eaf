import ArgumentParser
import FileProviders

/// `fp versions`.
struct VersionsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "versions",
        abstract: "List a file's earlier versions, read them, and take one back.",
        discussion: """
            Examples:
              fp versions cloud:report.odt
              fp versions cat cloud:report.odt ID > old.odt
              fp versions restore cloud:report.odt ID
            """,
        subcommands: [VersionsListCommand.self, VersionsCatCommand.self, VersionsRestoreCommand.self],
        defaultSubcommand: VersionsListCommand.self)
}

/// One earlier version of a file.
struct VersionArguments: ParsableArguments {
    @Argument(help: "A file on a storage that keeps versions.")
    var location: LocationArgument

    @Argument(help: "The version, as `fp versions` names it.")
    var id: String
}

extension Endpoint {
    func versions() throws -> any VersionProvider {
        try capability(.versions, as: (any VersionProvider).self)
    }
}

extension VersionProvider {
    /// Returns the earlier version with that name.
    func version(_ id: String, of path: ItemPath) async throws -> FileVersionRecord {
        guard let version = try await versions(path: path).first(where: { $0.id == id }) else {
            throw Refusal(
                ShownName.escaped(id), "no such version of this file", remedy: "see `fp versions`",
                isAboutAccess: false)
        }
        return version
    }
}
