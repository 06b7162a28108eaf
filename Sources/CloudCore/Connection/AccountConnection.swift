import FileProviding

/// A connection to a server that tells who one is there, what can be done, and which other trees the account has.
///
/// What a server does not tell throws `.featureUnsupported`.
public protocol AccountConnection: Connection {
    /// The account that the server takes the program for.
    func account() async throws -> StorageAccount
    /// What can be done on this server, beside what every connection does.
    func capabilities() async throws -> Set<ProviderCapability>
    /// The trees that the account can see, of which the vault keeps one.
    func spaces() async throws -> [StorageSpace]
}
