import FileProviding

/// What a query is about.
public enum QueryTarget: Sendable, Hashable {
    /// The entries of a directory. The query follows its directory when that moves.
    case location(ItemPath)
    /// One item, which the query follows when it moves.
    case item(ItemPath)
    /// Every item that has changed since, tombstones of removed ones included; see ``Item/isRemoved``.
    case since(SyncAnchor)
    /// Every item of the vault that the query's condition holds for. A server that keeps an index (``SearchingConnection``) is
    /// asked when the query starts and is refreshed, for what no scan has seen yet.
    case custom
}

/// How a query stands.
public enum QueryState: String, Sendable, Hashable {
    /// Not started yet.
    case stopped
    /// The results come from the database; the server has not been asked, or not answered: it may be away.
    case contentsFromCache
    /// The server is being asked; what it says appears in the results as it arrives.
    case updating
    /// The results are current: for a location or an item what the server last said, for others what the vault has.
    case idle
    /// The directory or item is gone. The results are empty, until it comes back.
    case targetRemoved
    /// The vault does not remember the point since which changes were asked for: the results are everything that it has,
    /// and what the owner has besides is outdated.
    case startOver
}

/// What a query tells: how it stands, and whether there is something to ask for.
public struct QueryNotification: Sendable, Hashable {
    /// How the query stands.
    public var state: QueryState
    /// Whether the results have changed since the owner last asked: "updates available".
    public var hasChanges: Bool
}

/// Is told when a query has news. Called on no particular thread; be quick.
public protocol QueryDelegate: AnyObject, Sendable {
    /// The results have changed since the owner last asked for the changes. Told once until it asks.
    func queryHasChangesAvailable(_ query: Query)
    /// The query could not learn what the server has; its results stay as they are.
    func query(_ query: Query, failedWith error: any Error)
}
