import FileProviding

/// What a server tells beside its items. Each of these asks it; while it cannot answer, what it said last is the answer. One
/// that does not know who is asking, or is not to be trusted, is an issue and an error.
extension Core {
    /// The account that the server takes the program for.
    ///
    /// - Throws: `.featureUnsupported` for a server without accounts; what the connection throws when the server has never
    ///   answered.
    public func account() async throws -> StorageAccount { try await told("account") { try await $0.account() } }

    /// What can be done on this server: what an app need not offer is not among it.
    ///
    /// - Throws: as ``account()``.
    public func capabilities() async throws -> Set<ProviderCapability> {
        try await told("capabilities") { try await $0.capabilities() }
    }

    /// The trees that the account can see, the vault's own included. Each other one is for a vault of its own, by
    /// ``Bookmark/bookmark(of:)``.
    ///
    /// - Throws: `.featureUnsupported` for a server without spaces; else as ``account()``.
    public func spaces() async throws -> [StorageSpace] { try await told("spaces") { try await $0.spaces() } }

    private func told<Answer: Codable & Hashable & Sendable>(
        _ subject: String, _ ask: (any AccountConnection) async throws -> Answer
    ) async throws -> Answer {
        guard let connection = connection as? any AccountConnection else {
            throw FileError.unsupported(vault.bookmark.name, "this connection knows no accounts")
        }
        let kept: Answer? = try? await vault.database.read { try $0.answer(about: subject) }
        do {
            let answer = try await ask(connection)
            // An answer that cannot be kept is one all the same.
            if answer != kept { try? await vault.database.write { try $0.keep(answer, about: subject) } }
            return answer
        } catch  where !error.isUnsupported && !error.isCancellation {
            let failure = EventFailure(error)
            await engine.note(failure)
            guard let kept, failure.meaning.status?.waitsForPerson != true else { throw error }
            return kept
        }
    }
}
