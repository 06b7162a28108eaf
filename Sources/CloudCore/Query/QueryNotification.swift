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
