import CloudCore
import FileProviders
import Foundation
import ProviderAdapter

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

    /// The remote as it is written in a command.
    var remote: String { ShownName.escaped(core.vault.bookmark.name) }

    /// What shows the questions that wait, with their answers.
    var answers: String { "the answers: fp vault conflicts \(remote)" }
}

extension Invocation {
    /// Runs `work` with the vault of a location's remote, at `$XDG_DATA_HOME/fp/<the remote's identifier>`; reports and
    /// counts an error.
    ///
    /// - Parameters:
    ///   - creating: whether to create a missing vault; if `work` fails before the server was listed, it is removed
    ///     again.
    ///   - isAlone: whether to work without the server, so that no secret is needed.
    func withVault(
        _ argument: LocationArgument, creating: Bool = false, alone isAlone: Bool = false,
        _ work: (OpenVault) async throws -> Void
    ) async throws {
        try await supervise(argument) {
            try await self.attempt {
                let vault = try self.access.openVault(
                    argument, in: self.environment.vaults, creating: creating, alone: isAlone)
                do {
                    try await work(vault)
                } catch {
                    // A vault that never listed the server would look like one of an empty server.
                    let isListed = try? await vault.core.isListed(.root)
                    try? await vault.core.close()
                    if vault.isNew, isListed == false {
                        _ = try? Vault.erase(vault.core.vault.bookmark.id, in: self.environment.vaults)
                    }
                    throw error
                }
                try await vault.core.close()
            }
        }
    }

    /// Removes the vault of a location's remote without opening it, even one that cannot be opened.
    func eraseVault(_ argument: LocationArgument) async throws {
        try await supervise(argument) {
            try await self.attempt {
                let (location, path, entry) = try self.access.remote(argument)
                try self.access.requireWhole(location, path)
                guard try Vault.erase(entry.id, in: self.environment.vaults) else {
                    throw Refusal(location.description, "there is no vault of this remote", isAboutAccess: false)
                }
            }
        }
    }
}

extension Access {
    /// Throws for a location within a remote where the whole remote is required.
    func requireWhole(_ location: Location, _ path: ItemPath) throws {
        guard !path.isRoot else { return }
        throw Refusal(
            location.description, "a vault is of a whole remote",
            remedy: "save the folder as one: fp remote add NAME URL")
    }

    /// Returns the remote that a location names.
    ///
    /// - Throws: ``Refusal`` for a location that is not a remote's.
    fileprivate func remote(
        _ argument: LocationArgument
    ) throws -> (location: Location, path: ItemPath, entry: StoredProvider) {
        let location = try parse(argument)
        guard case .remote(let name, let path) = location.place else {
            throw Refusal(
                location.description, "a vault is kept of a saved remote", remedy: "save one: fp remote add NAME URL")
        }
        return (location, path, try remotes.existing(name))
    }

    /// Opens the vault of a location's remote. Nothing is connected yet.
    ///
    /// - Throws: ``Refusal`` when there is no vault and none is to be created.
    fileprivate func openVault(
        _ argument: LocationArgument, in vaults: LocalPath, creating: Bool, alone isAlone: Bool
    ) throws -> OpenVault {
        let (location, path, entry) = try remote(argument)
        let exists = Vault.exists(for: entry.id, in: vaults)
        guard creating || exists else {
            throw Refusal(
                location.description, "there is no vault of this remote",
                remedy: "make one: fp vault open \(entry.name)")
        }
        let provider = try isAlone ? registry.open(entry) : open(argument).provider
        let bookmark = try Bookmark(id: entry.id, name: entry.name, url: provider.baseURL ?? URL(filePath: "/"))
        let core = Core(
            vault: try Vault(of: bookmark, in: vaults), connection: ProviderAdapter(provider, root: entry.root))
        return OpenVault(location: location, core: core, path: path, isNew: !exists)
    }
}
