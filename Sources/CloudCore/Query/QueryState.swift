import FileProviding

/// The items that a query searches.
public enum QueryTarget: Sendable, Hashable {
    /// The entries of a directory. The query follows the directory when it moves.
    case location(ItemPath)
    /// One item, which the query follows when it moves.
    case item(ItemPath)
    /// Every item that has changed since, tombstones of removed ones included; see ``Item/isRemoved``.
    case since(SyncAnchor)
    /// Every item of the vault that meets the query's condition. A server that keeps an index (``SearchingConnection``)
    /// is searched when the query starts and when it is refreshed, for items that no scan has seen yet.
    case custom
}

/// The state of a query.
public enum QueryState: String, Sendable, Hashable {
    /// Not started yet.
    case stopped
    /// The results come from the database; the server has not been contacted, or has not answered: it may be
    /// unavailable.
    case contentsFromCache
    /// The server has been contacted; its answer appears in the results as it arrives.
    case updating
    /// The results are current: for a location or an item, what the server last reported; for others, what the vault
    /// has.
    case idle
    /// The directory or item is gone. The results are empty, until it comes back.
    case targetRemoved
    /// The vault does not remember the requested point in its history: the results are everything that it has, and
    /// anything else that the owner has is outdated.
    case startOver
}

/// A notification of a query: its state, and whether there are changes to fetch.
public struct QueryNotification: Sendable, Hashable {
    /// The query's state.
    public var state: QueryState
    /// Whether the results have changed since the owner last fetched the changes: "updates available".
    public var hasChanges: Bool

    /// Creates a notification by hand, for tests.
    public init(state: QueryState, hasChanges: Bool) {
        self.state = state
        self.hasChanges = hasChanges
    }
}

/// A delegate that is notified of a query's changes. Called on an arbitrary thread; must return quickly.
public protocol QueryDelegate: AnyObject, Sendable {
    /// Reports that the results have changed since the owner last fetched the changes; called once until it fetches
    /// them.
    func queryHasChangesAvailable(_ query: Query)
    /// Reports that the query could not find out what the server has; its results stay as they are.
    func query(_ query: Query, failedWith error: any Error)
}
