import FileProviding

extension Core {
    /// The vault's bookmark, with the changes that answers to issues have made; see
    /// ``IssueDelegate/bookmarkWasChanged(_:)``.
    public var bookmark: Bookmark { currentBookmark.withLock { $0 } }

    /// Does what the answer to an issue about the connection to the server says.
    func resolveAccess(_ issue: Issue, with answer: Issue.Answer) async throws {
        switch (answer, issue.subject) {
        case (.cancel, _): return try await vault.database.write { try $0.settle(issue.id) }
        case (.trust, .certificate(let certificate)):
            try await change { $0.pinnedCertificates[certificate.host, default: []].insert(certificate.fingerprint) }
        case (.follow, .address(let address)):
            try await change { try $0.redirect(to: address) }
        case (.trust, _), (.follow, _):
            throw FileError.unsupported("\(issue.id)", "it is not known what to \(answer.rawValue)")
        default:
            // A credential may have been renewed where the connection finds it.
            do { try await connection.adopt(bookmark) } catch  where error.isUnsupported {}
        }
        await engine.reconnect()
    }

    private func change(_ change: (inout Bookmark) throws -> Void) async throws {
        let changed = try currentBookmark.withLock { bookmark in
            try change(&bookmark)
            return bookmark
        }
        await issueBoard.tell(of: changed)
        do { try await connection.adopt(changed) } catch  where error.isUnsupported {}
    }
}
