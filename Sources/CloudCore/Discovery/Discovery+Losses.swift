extension Discovery {
    /// Takes over what is gone, or raises an issue about it, once everything has been looked at; where tags do not tell what
    /// everything is, at once: an item that is found after all comes back as itself.
    ///
    /// - Returns: whether directories are to be listed for more to be known.
    func judgeLosses(isComplete: Bool) async throws -> Bool {
        let propagates = try await connectionTraits().propagatesDirectoryETags
        guard isComplete || !propagates else { return false }
        guard try await database.read({ try $0.hasLosses() }) else { return false }
        return try await database.write { try $0.judgeLosses() }
    }
}

extension Core {
    /// Does what the answer to an issue about losses says, and asks the server for what is in their place.
    func resolveLosses(with answer: Issue.Answer) async throws {
        if answer == .keepLocal {
            try await vault.database.write { try $0.keepLosses() }
        } else {
            let vault = vault
            let copies = try await vault.database.write { writer in
                let copies = try writer.takeLosses()
                // Before the vault forgets them.
                for copy in copies { _ = try vault.recover(copy) }
                return copies
            }
            for copy in copies { try vault.remove(copy) }
        }
        await engine.wake()
        _ = try await discovery.drain(budget: .max)
    }
}
