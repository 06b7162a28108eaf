import CloudCore
import FileProviding

/// The provider's shares, where it has any.
extension ProviderAdapter: SharingConnection {
    /// What the account shares below the vault's root.
    public func shares(of path: ItemPath?) async throws -> [Share] {
        let provider = try sharing(path ?? .root)
        guard let path else { return try await provider.shares(of: nil).compactMap(here) }
        return try await provider.shares(of: place(path)).map { $0.moved(to: path) }
    }

    /// What others share with the account and appears below the vault's root.
    public func sharesWithMe() async throws -> [Share] {
        try await sharing(.root).sharesWithMe().compactMap(here)
    }

    /// The provider's new share.
    public func createShare(of path: ItemPath, _ draft: ShareDraft) async throws -> Share {
        try await sharing(path).createShare(of: place(path), draft).moved(to: path)
    }

    /// The provider's changed share.
    public func updateShare(_ share: Share, _ draft: ShareDraft) async throws -> Share {
        let changed = try await sharing(share.path).updateShare(share.moved(to: place(share.path)), draft)
        return changed.moved(to: share.path)
    }

    /// Ends the provider's share.
    public func removeShare(_ share: Share) async throws {
        try await sharing(share.path).removeShare(share.moved(to: place(share.path)))
    }

    /// The provider's people and groups.
    public func sharees(matching text: String, for path: ItemPath) async throws -> [Sharee] {
        try await sharing(path).sharees(matching: text, for: place(path))
    }

    private func sharing(_ path: ItemPath) throws -> any ShareProvider {
        guard let provider = provider as? any ShareProvider else {
            throw FileError.unsupported(path, "this storage knows no shares")
        }
        return provider
    }

    /// The share by the vault's path; `nil` where that is not in the vault.
    private func here(_ share: Share) -> Share? { share.path.relative(to: root).map { share.moved(to: $0) } }
}
