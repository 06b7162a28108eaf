import FileProviding

/// Notifies a core's delegate of issues that appear and disappear, by comparing the open ones with those reported.
actor IssueBoard {
    private let vault: Vault
    /// A failure of the vault's own files, which cannot be stored there.
    private var trouble: Issue?
    private weak var delegate: (any IssueDelegate)?
    private var told: [Issue.ID: Issue] = [:]
    /// The number of reads of the database that have begun, and the last one that was reported: an older one has
    /// nothing to add.
    private var looks = (begun: 0, told: 0)

    init(vault: Vault) { self.vault = vault }

    /// Returns every open issue; if they cannot be read any more, the one that says so.
    func issues() async throws -> [Issue] {
        var kept: [Issue] = []
        do { kept = try await vault.database.read { try $0.issues() } } catch {
            guard hasNoted(error) else { throw error }
        }
        return kept + (trouble.map { [$0] } ?? [])
    }

    /// Raises an issue if an error is about the vault's own files.
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

    /// Clears the failure: the vault's files are writable again, or the next use will show that they are not.
    func clearTrouble() async throws {
        guard trouble != nil else { return }
        trouble = nil
        try await follow()
    }

    /// Reports every open issue to a delegate, and changes from then on.
    func tell(_ delegate: (any IssueDelegate)?) async throws {
        self.delegate = delegate
        told = [:]
        try await follow()
    }

    /// Reports that the bookmark has changed.
    func tell(of bookmark: Bookmark) { delegate?.bookmarkWasChanged(bookmark) }

    /// Reports what has changed since this was last called.
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
