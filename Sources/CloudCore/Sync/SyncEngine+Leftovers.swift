import FileProviding

/// What uploads that were given up have left at the server.
extension SyncEngine {
    /// Forgets what was kept of the transfer of a record that has ended. What an upload has left at the server is known by that:
    /// it is taken away first.
    func forgetTransfer(of record: SyncRecord, after result: Result<Item, any Error>) {
        guard case .failure = result, record.kind == .upload else {
            try? vault.forgetTransfer(of: record)
            return
        }
        hasLeftovers = true
    }

    /// Takes away what commands that are there no more have left at the server; what cannot be taken away now stays for the next
    /// time. Not cut off when the task is cancelled, as it is where there is nothing else to do.
    func discardLeftovers() async {
        guard status.allowsOperations else { return }
        await Task { await discardJournals() }.value
    }

    private func discardJournals() async {
        let vault = vault
        guard let journals = try? vault.journals(), !journals.isEmpty else { return }
        let living = try? await vault.database.read { reader in
            try journals.filter { try reader.record($0) != nil }
        }
        for command in journals.subtracting(living ?? journals) {
            let journal = vault.journal(of: command)
            do { try await connection.discardUpload(journal: journal) } catch {
                let meaning = EventFailure(error).meaning
                // All others would meet the same.
                if meaning.status != nil { return }
                if meaning.passes { continue }
            }
            try? PrivateFile.remove(journal)
        }
    }
}

extension EventFailure.Meaning {
    /// Whether the same may be done at another time, although the server has answered.
    fileprivate var passes: Bool { [.troubled, .locked, .cancelled, .hindered].contains(self) }
}
