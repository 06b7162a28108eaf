/// A provider whose server knows those who use it by accounts.
public protocol AccountProvider: FileProviderBasic {
    /// The account that the server takes the program for.
    ///
    /// - Throws: `.featureUnsupported` for a server that does not tell.
    func account() async throws -> StorageAccount
}

/// A person's account on a server, as the server describes it.
public struct StorageAccount: Hashable, Sendable, Codable {
    /// The server's identifier, which need not be the name that the account logs in with.
    public var id: String
    /// The name for people; the identifier where the server tells none.
    public var displayName: String
    /// Where the person gets mail, as far as the server tells.
    public var emailAddress: String?

    /// An account as the server describes it.
    public init(id: String, displayName: String? = nil, emailAddress: String? = nil) {
        self.id = id
        self.displayName = displayName ?? id
        self.emailAddress = emailAddress
    }
}
