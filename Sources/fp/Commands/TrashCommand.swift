import ArgumentParser
import FileProviders

/// `fp trash`.
struct TrashCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "trash",
        abstract: "Move things to the trash, and take them back.",
        discussion: """
            Examples:
              fp trash put old.txt
              fp trash list
              fp trash restore ID
            """,
        subcommands: [TrashPutCommand.self, TrashListCommand.self, TrashRestoreCommand.self, TrashEmptyCommand.self])
}

extension Endpoint {
    func trash() throws -> any TrashProvider { try capability(.trash, as: (any TrashProvider).self) }
}

extension TrashProvider {
    /// Returns the trashed item with that name.
    func item(_ id: String) async throws -> TrashedItem {
        guard let item = try await trashedItems().first(where: { $0.id == id }) else {
            throw Refusal(
                ShownName.escaped(id), "no such item in the trash", remedy: "see `fp trash list`", isAboutAccess: false)
        }
        return item
    }
}
