import FileProviding

/// Tells a core's delegate which issues come and go, by comparing those that are open with those that were told.
actor IssueBoard {
    private let vault: Vault
    /// Trouble with the vault's own files, which cannot be written down there.
    private var trouble: Issue?
    private weak var delegate: (any IssueDelegate)?
    private var told: [Issue.ID: Issue] = [:]
    /// How many looks at the database have begun, and which one was told last: an older one has nothing to add.
    private var looks = (begun: 0, told: 0)

    init(vault: Vault) { self.vault = vault }

    /// Every open issue; where they cannot be read any more, the one that says so.
    func issues() async throws -> [Issue] {
        var kept: [Issue] = []
        do { kept = try await vault.database.read { try $0.issues() } } catch {
            guard hasNoted(error) else { throw error }
        }
        return kept + (trouble.map { [$0] } ?? [])
    }

    /// Raises an issue where an error is about the vault's own files.
    ///
    /// - Returns: whether it is.
    func note(_ error: any Error) async -> Bool {
        guard hasNoted(error) else { return false }
        try? await follow()
        return true
    }

    private func hasNoted(_ error: any Error) -> Bool {
        guard let kind = Issue.Kind(trouble: error, with: vault.folder) else { return false }
        if trouble?.id.kind != kind {
            trouble = Issue(id: Issue.ID(kind), detail: error.localizedDescription, raisedAt: vault.clock())
        }
        return true
    }

    /// Takes trouble back: the vault's files can be written again, or it is to be seen.
    func clearTrouble() async throws {
        guard trouble != nil else { return }
        trouble = nil
        try await follow()
    }

    /// Lets a delegate know of every open issue, and from then on of what changes.
    func tell(_ delegate: (any IssueDelegate)?) async throws {
        self.delegate = delegate
        told = [:]
        try await follow()
    }

    /// Tells that the bookmark has changed.
    func tell(of bookmark: Bookmark) { delegate?.bookmarkWasChanged(bookmark) }

    /// Tells what has changed since this was last called.
    func follow() async throws {
        guard delegate != nil else { return }
        looks.begun += 1
        let look = looks.begun
        let open = try await issues()
        guard look > looks.told else { return }
        looks.told = look
        let before = told
        told = Dictionary(open.map { ($0.id, $0) }) { first, _ in first }
        for issue in before.values where told[issue.id] == nil { delegate?.issueWasSettled(issue) }
        for issue in open where before[issue.id] != issue { delegate?.issueWasRaised(issue) }
    }
}
