/// A delegate that is notified of a query's changes. Called on an arbitrary thread; must return quickly.
public protocol QueryDelegate: AnyObject, Sendable {
    /// Reports that the results have changed since the owner last fetched the changes; called once until it fetches
    /// them.
    func queryHasChangesAvailable(_ query: Query)
    /// Reports that the query could not find out what the server has; its results stay as they are.
    func query(_ query: Query, failedWith error: any Error)
}
