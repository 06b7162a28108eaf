/// A delegate that is notified of a core's issues. Called on an arbitrary thread; must return quickly.
public protocol IssueDelegate: AnyObject, Sendable {
    /// Reports that an issue has been raised, or that its text has changed. Answer it with
    /// ``Core/resolve(_:with:)-(Issue,_)``, at any time.
    func issueWasRaised(_ issue: Issue)
    /// Reports that an issue has been answered, or that its cause is gone.
    func issueWasSettled(_ issue: Issue)
    /// Reports that an answer has changed the core's bookmark: another URL, another trusted certificate. Store it.
    func bookmarkWasChanged(_ bookmark: Bookmark)
}

extension IssueDelegate {
    /// Does nothing, for an app that reads ``Core/bookmark`` instead.
    public func bookmarkWasChanged(_ bookmark: Bookmark) {}
}
