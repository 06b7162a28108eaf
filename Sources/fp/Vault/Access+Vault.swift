import CloudCore
import FileProviders
import Foundation
import ProviderAdapter

extension Access {
    /// Throws for a vault that would be inside the folder that it keeps: it would keep its own copies, and theirs.
    private func requireApart(
        _ root: ItemPath, of provider: any FileProvider, from vaults: LocalPath, _ location: Location
    ) throws {
        guard let root = LocalPath(provider.url(of: root))?.real, let folder = vaults.realAbove, folder.isInside(root)
        else {
            return
        }
        throw Refusal(
            location.description, "its vault would be inside it, in \(ShownName.escaped(vaults.bytes))",
            remedy: "set XDG_DATA_HOME to a folder elsewhere")
    }

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
    func remote(
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
    func openVault(
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
        if !isAlone { try requireApart(entry.root, of: provider, from: vaults, location) }
        let core = Core(
            vault: try Vault(of: bookmark, in: vaults), connection: ProviderAdapter(provider, root: entry.root))
        return OpenVault(location: location, core: core, path: path, isNew: !exists)
    }
}
