import FileProviding

extension Core {
    /// Returns the issues that wait for an answer, in the order in which they were raised.
    public func issues() async throws -> [Issue] { try await issueBoard.issues() }

    /// Reports every open issue to a delegate now, and changes from then on; the delegate is held weakly.
    public func setIssueDelegate(_ delegate: (any IssueDelegate)?) async throws { try await issueBoard.tell(delegate) }

    /// Answers an issue as it was shown to a person. If the issue is no longer open, nothing is done.
    ///
    /// - Throws: "has changed" if it is about another certificate or address by now, or if contents are to replace a
    ///   version that nobody has seen; the issue stays open, and the next answer is about that. Otherwise as
    ///   ``resolve(_:with:)-(Issue.ID,_)``.
    public func resolve(_ issue: Issue, with answer: Issue.Answer) async throws {
        try await resolve(issue.id, with: answer) { present in
            guard present.subject == issue.subject else { throw FileError.changed("\(issue.id)") }
        }
    }

    /// Answers an issue and does what the answer says, whatever the issue is about by now: what was shown to a person
    /// is answered by ``resolve(_:with:)-(Issue,_)``. If the issue is no longer open, nothing is done.
    ///
    /// - Throws: `CocoaError(.featureUnsupported)` for an answer that is not among the issue's choices; "has changed"
    ///   if contents are to replace another version than the last known one.
    public func resolve(_ id: Issue.ID, with answer: Issue.Answer) async throws {
        try await resolve(id, with: answer) { _ in }
    }

    /// - Parameter check: throws if the issue that the answer is applied to is not the one that it is meant for.
    private func resolve(_ id: Issue.ID, with answer: Issue.Answer, if check: (Issue) throws -> Void) async throws {
        guard id.kind.choices.contains(where: { $0.answer == answer }) else {
            let possible = id.kind.choices.map(\.answer.rawValue).joined(separator: ", ")
            throw FileError.unsupported("\(id)", "the answer \(answer.rawValue); possible are \(possible)")
        }
        guard let issue = try await issues().first(where: { $0.id == id }) else { return }
        try check(issue)
        switch id.kind {
        case .itemsVanished, .serverWentBack: try await resolveLosses(with: answer)
        case .storageFull, .storageReadOnly, .storageFailing, .databaseDamaged: try await retry()
        case .databaseRebuilt, .databaseWentBack, .commandRefused:
            try await vault.database.write { try $0.settle(id) }
        case .authenticationNeeded, .certificateUntrusted, .redirected, .maintenance:
            try await resolveAccess(issue, with: answer)
        case .conflict, .nameTaken, .changedBeforeDeletion, .commandFailed: try await engine.resolve(id, with: answer)
        }
        try await pump.follow()
        try await issueBoard.follow()
    }

    /// Contacts the server again, which raises the issue again if nothing has improved.
    private func retry() async throws {
        try await issueBoard.clearTrouble()
        do { try await scan() } catch {
            _ = await issueBoard.note(error)
            throw error
        }
    }
}
