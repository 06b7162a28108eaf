/// A provider whose server identifies its users by accounts.
public protocol AccountProvider: FileProviderBasic {
    /// Returns the account that the credential belongs to.
    ///
    /// - Throws: `.featureUnsupported` for a server that does not report it.
    func account() async throws -> StorageAccount
}

/// A user's account on a server, as the server describes it.
public struct StorageAccount: Hashable, Sendable, Codable {
    /// The server's identifier, which need not be the login name.
    public var id: String
    /// The display name; the identifier where the server reports no name.
    public var displayName: String
    /// The user's email address, where the server reports it.
    public var emailAddress: String?

    /// Creates an account as the server describes it.
    public init(id: String, displayName: String? = nil, emailAddress: String? = nil) {
        self.id = id
        self.displayName = displayName ?? id
        self.emailAddress = emailAddress
    }
}
