extension Discovery {
    /// Merges losses, or raises an issue about them, once everything has been listed; if tags do not show what
    /// everything is, at once: an item that is found after all comes back as itself.
    ///
    /// - Parameter looks: how often the directories that have changed in the meantime may still be listed first.
    /// - Returns: whether more directories have to be listed to know more.
    func judgeLosses(after report: ScanReport, lookingAgain looks: inout Int) async throws -> Bool {
        let propagates = try await connectionTraits().propagatesDirectoryETags
        guard report.hasLookedEverywhere || !propagates else { return false }
        guard try await database.read({ try $0.hasLosses() }) else {
            try await database.write { try $0.noteKnown() }
            return false
        }
        // What is missing may be so because this is another folder: the mount point of a disk that is away.
        if !propagates { try await checkRoot() }
        // While the others were listed, an item may have been moved into a directory that had been listed before.
        if propagates, looks > 0, try await checkRoot() {
            looks -= 1
            return true
        }
        guard isAlone else { return false }
        // Where tags propagate, only what has changed is listed.
        let looked = propagates ? [] : report.looked
        return try await database.write { try $0.judgeLosses(after: looked) }
    }
}

extension Core {
    /// Does what the answer to an issue about losses says, and lists what the server has instead.
    func resolveLosses(with answer: Issue.Answer) async throws {
        if answer == .keepLocal {
            try await vault.database.write { try $0.keepLosses() }
        } else {
            let vault = vault
            let copies = try await vault.database.write { writer in
                // Before the vault forgets them.
                try writer.takeLosses { _ = try vault.recover($0) }
            }
            for copy in copies { try vault.remove(copy) }
        }
        await engine.wake()
        _ = try await discovery.drain(budget: .max)
    }
}
