/// Answers "is this the same storage?", so that a copy within it can stay on the server.
///
/// Two providers of equal identity address the same items by the same paths. Items of providers that differ only in
/// ``root`` are on the same storage too, under other paths; see ``sharesStorage(with:)``.
public struct ProviderIdentity: Hashable, Sendable, Codable {
    /// The provider's kind, `FileProviderBasic.type`.
    public var type: String
    /// Host and port, or what else tells two storages of a kind apart; empty for this machine.
    public var authority: String
    /// Where the provider's root lies on the storage.
    public var root: ItemPath
    /// Who is asking; `nil` for nobody in particular.
    public var account: String?

    /// An identity of these parts.
    public init(type: String, authority: String = "", root: ItemPath = .root, account: String? = nil) {
        self.type = type
        self.authority = authority
        self.root = root
        self.account = account
    }

    /// Whether both address the same storage as the same person, perhaps from different roots.
    public func sharesStorage(with other: ProviderIdentity) -> Bool {
        type == other.type && authority == other.authority && account == other.account
    }
}
