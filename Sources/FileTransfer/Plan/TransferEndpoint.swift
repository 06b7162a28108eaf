import FileProviding

/// An item at a provider: one end of a copy.
public struct TransferEndpoint: Sendable, CustomStringConvertible {
    /// The storage.
    public var provider: any FileProvider
    /// The item.
    public var path: ItemPath

    /// Creates an endpoint.
    public init(_ provider: any FileProvider, _ path: ItemPath) {
        self.provider = provider
        self.path = path
    }

    /// The path alone, without the provider's name.
    public var description: String { path.description }

    /// Returns the item with this name below.
    func appending(_ name: ItemName) -> TransferEndpoint { TransferEndpoint(provider, path.appending(name)) }

    /// Returns this item's path in `other`, if both are the same storage and the item lies below the other's root.
    package func path(at other: any FileProvider) -> ItemPath? {
        let (mine, theirs) = (provider.identity, other.identity)
        guard mine.sharesStorage(with: theirs), !path.isIdentifier else { return nil }
        return mine.root.appending(path).relative(to: theirs.root)
    }
}
