import CloudCore
import FileProviders

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
        var place = ShownName.escaped(argument.bytes)
        do {
            try await attempt {
                let vault = try access.openVault(argument, in: environment.vaults, creating: creating, alone: isAlone)
                do {
                    try await work(vault)
                } catch {
                    place = await vault.place(of: error) ?? place
                    // A vault that never listed the server would look like one of an empty server.
                    let isListed = try? await vault.core.isListed(.root)
                    try? await vault.core.close()
                    if vault.isNew, isListed == false {
                        _ = try? Vault.erase(vault.core.vault.bookmark.id, in: environment.vaults)
                    }
                    throw error
                }
                try await vault.core.close()
            }
            succeeded()
        } catch {
            try note(error, at: place)
        }
    }

    /// Runs `work` with the vault of a remote, as ``withVault(_:creating:alone:_:)`` does, and not for a location
    /// within it: the work is about all of the vault.
    func withVault(
        of remote: VaultArgument, alone isAlone: Bool = false, _ work: (OpenVault) async throws -> Void
    ) async throws {
        try await withVault(remote.location, alone: isAlone) { vault in
            try access.requireWhole(vault.location, vault.path)
            try await work(vault)
        }
    }

    /// Returns whether a location's remote has a vault.
    func hasVault(_ argument: LocationArgument) -> Bool {
        guard let remote = try? access.remote(argument) else { return false }
        return Vault.exists(for: remote.entry.id, in: environment.vaults)
    }

    /// Removes the vault of a location's remote without opening it, even one that cannot be opened.
    ///
    /// - Parameter erase: removes it; returns whether there was anything to remove.
    func eraseVault(
        _ argument: LocationArgument, by erase: (Bookmark.ID, _ vaults: LocalPath) throws -> Bool
    ) async throws {
        try await supervise(argument) {
            try await self.attempt {
                let (location, path, entry) = try self.access.remote(argument)
                try self.access.requireWhole(location, path)
                guard try erase(entry.id, self.environment.vaults) else {
                    throw Refusal(location.description, "there is no vault of this remote", isAboutAccess: false)
                }
            }
        }
    }
}
