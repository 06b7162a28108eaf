import FileProviding

/// Tells a core's delegate which issues come and go, by comparing those that are open with those that were told.
actor IssueBoard {
    private let database: Database
    private weak var delegate: (any IssueDelegate)?
    private var told: [Issue.ID: Issue] = [:]
    /// How many looks at the database have begun, and which one was told last: an older one has nothing to add.
    private var looks = (begun: 0, told: 0)

    init(database: Database) { self.database = database }

    /// Lets a delegate know of every open issue, and from then on of what changes.
    func tell(_ delegate: (any IssueDelegate)?) async throws {
        self.delegate = delegate
        told = [:]
        try await follow()
    }

    /// Tells what has changed since this was last called.
    func follow() async throws {
        guard delegate != nil else { return }
        looks.begun += 1
        let look = looks.begun
        let open = try await database.read { try $0.issues() }
        guard look > looks.told else { return }
        looks.told = look
        let before = told
        told = Dictionary(open.map { ($0.id, $0) }) { first, _ in first }
        for issue in before.values where told[issue.id] == nil { delegate?.issueWasSettled(issue) }
        for issue in open where before[issue.id] != issue { delegate?.issueWasRaised(issue) }
    }
}
