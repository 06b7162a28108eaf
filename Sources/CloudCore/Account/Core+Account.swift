import FileProviding

/// Information about the server itself. Each of these requests it; while the server cannot answer, its last answer is
/// returned. A server that does not accept the credential, or is not trusted, is an issue and an error.
extension Core {
    /// Returns the account that the server associates with the credential.
    ///
    /// - Throws: `.featureUnsupported` for a server without accounts; the recorded error, without a request, while only
    ///   the user can make the server answer; the connection's error if the server has never answered.
    public func account() async throws -> StorageAccount { try await told("account") { try await $0.account() } }

    /// Returns what this server supports; an app need not offer anything else.
    ///
    /// - Throws: as ``account()``.
    public func capabilities() async throws -> Set<ProviderCapability> {
        try await told("capabilities") { try await $0.capabilities() }
    }

    /// Returns the trees that the account can see, including the vault's own. Each of the others needs a vault of its
    /// own, by ``Bookmark/bookmark(of:)``.
    ///
    /// - Throws: `.featureUnsupported` for a server without spaces; otherwise as ``account()``.
    public func spaces() async throws -> [StorageSpace] { try await told("spaces") { try await $0.spaces() } }

    private func told<Answer: Codable & Hashable & Sendable>(
        _ subject: String, _ ask: (any AccountConnection) async throws -> Answer
    ) async throws -> Answer {
        guard let connection = connection as? any AccountConnection else {
            throw FileError.unsupported(vault.bookmark.name, "this connection knows no accounts")
        }
        let kept: Answer? = try? await vault.database.read { try $0.answer(about: subject) }
        if let refusal = engine.statusBoard.refusal { throw refusal }
        do {
            let answer = try await ask(connection)
            // An answer that cannot be stored is an answer all the same.
            if answer != kept { try? await vault.database.write { try $0.keep(answer, about: subject) } }
            return answer
        } catch  where !error.isUnsupported && !error.isCancellation {
            let failure = EventFailure(error)
            await engine.note(failure)
            guard let kept, failure.meaning.status?.needsUser != true else { throw error }
            return kept
        }
    }
}
