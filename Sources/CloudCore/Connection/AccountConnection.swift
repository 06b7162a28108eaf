import FileProviding

/// A connection to a server that reports the account, what it supports, and the account's other trees.
///
/// Members throw `.featureUnsupported` for what a server does not report.
public protocol AccountConnection: Connection {
    /// Returns the account that the credential belongs to.
    func account() async throws -> StorageAccount
    /// Returns what this server supports, in addition to what every connection does.
    func capabilities() async throws -> Set<ProviderCapability>
    /// Returns the trees that the account can see, one of which is the vault's.
    func spaces() async throws -> [StorageSpace]
}
