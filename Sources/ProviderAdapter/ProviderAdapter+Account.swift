import CloudCore
import FileProviding

/// What the provider's server tells beside its items.
extension ProviderAdapter: AccountConnection {
    /// The provider's account.
    public func account() async throws -> StorageAccount {
        guard let provider = provider as? any AccountProvider else {
            throw FileError.unsupported(root, "this storage knows no accounts")
        }
        return try await provider.account()
    }

    /// What the provider can do at the vault's root.
    public func capabilities() async throws -> Set<ProviderCapability> {
        try await withRoot { try await provider.capabilities(path: root) }
    }

    /// The provider's trees.
    public func spaces() async throws -> [StorageSpace] {
        guard let provider = provider as? any SpaceProvider else {
            throw FileError.unsupported(root, "this storage has no spaces")
        }
        return try await provider.spaces()
    }
}
