/// Is told of a core's issues. Called on no particular thread; be quick.
public protocol IssueDelegate: AnyObject, Sendable {
    /// An issue has been raised, or says something else than before. Answer it with ``Core/resolve(_:with:)``, at any time.
    func issueWasRaised(_ issue: Issue)
    /// An issue has been answered, or its reason is gone.
    func issueWasSettled(_ issue: Issue)
    /// An answer has changed the core's bookmark: another address, another trusted certificate. Keep it.
    func bookmarkWasChanged(_ bookmark: Bookmark)
}

extension IssueDelegate {
    /// Nothing: for an app that looks at ``Core/bookmark`` instead.
    public func bookmarkWasChanged(_ bookmark: Bookmark) {}
}
