import FileProviding

/// With whom an item is shared, and by whom, as the server last said.
public struct ItemShares: Hashable, Sendable, Codable {
    /// What the account has made: links, and shares with users and groups.
    public var byMe: [Share]
    /// By what others let the account have the item.
    public var withMe: [Share]

    /// Shares; by default none.
    public init(byMe: [Share] = [], withMe: [Share] = []) {
        (self.byMe, self.withMe) = (byMe, withMe)
    }

    /// Whether nobody shares the item.
    public var isEmpty: Bool { byMe.isEmpty && withMe.isEmpty }

    /// The same shares of the item where it is now.
    func moved(to path: ItemPath) -> ItemShares {
        ItemShares(byMe: byMe.map { $0.moved(to: path) }, withMe: withMe.map { $0.moved(to: path) })
    }
}
