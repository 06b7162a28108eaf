/// Is told of a core's issues. Called on no particular thread; be quick.
public protocol IssueDelegate: AnyObject, Sendable {
    /// An issue has been raised, or says something else than before. Answer it with ``Core/resolve(_:with:)``, at any time.
    func issueWasRaised(_ issue: Issue)
    /// An issue has been answered, or its reason is gone.
    func issueWasSettled(_ issue: Issue)
}
