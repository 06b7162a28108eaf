import FileProviding

/// An item at a provider: one end of a copy.
public struct TransferEndpoint: Sendable, CustomStringConvertible {
    /// The storage.
    public var provider: any FileProvider {
        get { storage.provider }
        set { storage = Storage(newValue) }
    }
    /// The item.
    public var path: ItemPath

    private(set) var storage: Storage

    /// Creates an endpoint.
    public init(_ provider: any FileProvider, _ path: ItemPath) {
        storage = Storage(provider)
        self.path = path
    }

    /// The path alone, without the provider's name.
    public var description: String { path.description }

    /// Returns the item with this name below.
    func appending(_ name: ItemName) -> TransferEndpoint { at(path.appending(name)) }

    /// Returns another item of the same storage.
    func at(_ path: ItemPath) -> TransferEndpoint {
        var other = self
        other.path = path
        return other
    }

    /// Returns this item's path at the other end's provider, if both are on one storage and the item lies below that
    /// provider's root.
    package func path(at other: TransferEndpoint) -> ItemPath? {
        let (mine, theirs) = (storage.identity, other.storage.identity)
        guard mine.sharesStorage(with: theirs), !path.isIdentifier else { return nil }
        return mine.root.appending(path).relative(to: theirs.root)
    }
}

extension TransferEndpoint {
    /// A provider, and what every copy asks about it, found out once: the answers are casts and concatenations.
    final class Storage: Sendable {
        let provider: any FileProvider
        let identity: ProviderIdentity
        /// The provider, if it has files that this process can open and write into.
        let openFiles: (any FileProviderPartialWrite & FileProviderLocalAccess)?

        init(_ provider: any FileProvider) {
            self.provider = provider
            identity = provider.identity
            openFiles = provider as? any FileProviderPartialWrite & FileProviderLocalAccess
        }
    }
}
