import CloudCore
import FileProviding

/// Information about the provider's server itself.
extension ProviderAdapter: AccountConnection {
    /// Returns the provider's account.
    public func account() async throws -> StorageAccount {
        guard let provider = provider as? any AccountProvider else {
            throw FileError.unsupported(root, "this storage knows no accounts")
        }
        return try await provider.account()
    }

    /// Returns what the provider supports at the vault's root.
    public func capabilities() async throws -> Set<ProviderCapability> {
        try await withRoot { try await provider.capabilities(path: root) }
    }

    /// Returns the provider's trees.
    public func spaces() async throws -> [StorageSpace] {
        guard let provider = provider as? any SpaceProvider else {
            throw FileError.unsupported(root, "this storage has no spaces")
        }
        return try await provider.spaces()
    }
}
