import CloudCore

/// Reports on standard error what a vault asks its owner, while a command runs.
final class IssueNotices: IssueDelegate {
    private let messages: Messages
    private let place: String

    init(_ messages: Messages, at place: String) {
        self.messages = messages
        self.place = place
    }

    func issueWasRaised(_ issue: Issue) {
        let detail = ShownName.escaped(issue.detail)
        messages.notice("\(place): \(issue.id): \(detail); to answer, end this and use `fp vault resolve`")
    }

    func issueWasSettled(_ issue: Issue) { messages.notice("\(place): \(issue.id): settled") }
}
