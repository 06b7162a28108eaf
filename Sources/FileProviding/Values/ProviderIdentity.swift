/// The identity of a storage, which tells whether a copy can stay on the server.
///
/// Two providers of equal identity address the same items by the same paths. Providers that differ only in ``root`` are
/// on the same storage too, under other paths; see ``sharesStorage(with:)``.
public struct ProviderIdentity: Hashable, Sendable, Codable {
    /// The provider's kind, `FileProviderBasic.type`.
    public var type: String
    /// Host and port, or whatever else distinguishes two storages of a kind; empty for this machine.
    public var authority: String
    /// Where the provider's root is on the storage.
    public var root: ItemPath
    /// The account: the user's name, or for a token that has none ``Credential/account``; `nil` for anonymous access.
    public var account: String?

    /// Creates an identity.
    public init(type: String, authority: String = "", root: ItemPath = .root, account: String? = nil) {
        self.type = type
        self.authority = authority
        self.root = root
        self.account = account
    }

    /// Returns whether both address the same storage as the same account, perhaps from different roots.
    public func sharesStorage(with other: ProviderIdentity) -> Bool {
        type == other.type && authority == other.authority && account == other.account
    }
}
