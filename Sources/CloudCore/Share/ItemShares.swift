import FileProviding

/// The shares of an item, made by the account or by others, as last reported by the server.
public struct ItemShares: Hashable, Sendable, Codable {
    /// The shares that the account has made: links, and shares with users and groups.
    public var byMe: [Share]
    /// The shares through which others give the account this item.
    public var withMe: [Share]

    /// Creates shares; by default none.
    public init(byMe: [Share] = [], withMe: [Share] = []) {
        (self.byMe, self.withMe) = (byMe, withMe)
    }

    /// Whether there are no shares.
    public var isEmpty: Bool { byMe.isEmpty && withMe.isEmpty }

    /// Returns the same shares of the item at its current path.
    func moved(to path: ItemPath) -> ItemShares {
        ItemShares(byMe: byMe.map { $0.moved(to: path) }, withMe: withMe.map { $0.moved(to: path) })
    }
}
