import CloudCore
import FileProviders

/// A saved remote's vault, open for one command.
struct OpenVault {
    /// What the user wrote.
    let location: Location
    /// The core, with the vault and the connection to the server.
    let core: Core
    /// The item within the vault.
    let path: ItemPath
    /// Whether this command created the vault.
    let isNew: Bool

    /// Returns an item in the form in which the location was written.
    func name(of item: ItemPath) -> [UInt8] { location.name(of: item, base: path) }

    /// Returns the item that an error is about in the form in which the location was written, if the vault knows it.
    func place(of error: any Error) async -> String? {
        guard let path = ItemPath(of: error), let item = try? await core.item(at: path) else { return nil }
        return ShownName.escaped(name(of: item.path))
    }

    /// The remote as it is written in a command.
    var remote: String { ShownName.escaped(core.vault.bookmark.name) }

    /// What shows the questions that wait, with their answers.
    var answers: String { "the answers: fp vault conflicts \(remote)" }
}
