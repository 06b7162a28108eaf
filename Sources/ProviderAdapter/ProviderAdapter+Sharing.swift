import CloudCore
import FileProviding

/// The provider's shares, if it supports them.
extension ProviderAdapter: SharingConnection {
    /// Returns what the account shares below the vault's root.
    public func shares(of path: ItemPath?) async throws -> [Share] {
        let provider = try sharing(path ?? .root)
        guard let path else { return try await provider.shares(of: nil).compactMap(inVault) }
        return try await provider.shares(of: place(path)).map { $0.moved(to: path) }
    }

    /// Returns the shares through which others give the account items below the vault's root.
    public func sharesWithMe() async throws -> [Share] {
        try await sharing(.root).sharesWithMe().compactMap(inVault)
    }

    /// Creates a share with the provider.
    public func createShare(of path: ItemPath, _ draft: ShareDraft) async throws -> Share {
        try await sharing(path).createShare(of: place(path), draft).moved(to: path)
    }

    /// Changes a share with the provider.
    public func updateShare(_ share: Share, _ draft: ShareDraft) async throws -> Share {
        let changed = try await sharing(share.path).updateShare(share.moved(to: place(share.path)), draft)
        return changed.moved(to: share.path)
    }

    /// Ends a share with the provider.
    public func removeShare(_ share: Share) async throws {
        try await sharing(share.path).removeShare(share.moved(to: place(share.path)))
    }

    /// Returns the provider's users and groups that match.
    public func sharees(matching text: String, for path: ItemPath) async throws -> [Sharee] {
        try await sharing(path).sharees(matching: text, for: place(path))
    }

    private func sharing(_ path: ItemPath) throws -> any ShareProvider {
        guard let provider = provider as? any ShareProvider else {
            throw FileError.unsupported(path, "this storage knows no shares")
        }
        return provider
    }

    /// Returns the share with the vault's path; `nil` if the item is not in the vault.
    private func inVault(_ share: Share) -> Share? { share.path.relative(to: root).map { share.moved(to: $0) } }
}
