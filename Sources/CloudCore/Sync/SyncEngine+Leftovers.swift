import FileProviding

/// What abandoned uploads have left on the server.
extension SyncEngine {
    /// Removes what was kept of the transfer of a record that has ended. It identifies what an upload has left on the
    /// server, which is removed first.
    func forgetTransfer(of record: SyncRecord, after result: Result<Item, any Error>) {
        guard case .failure = result, record.kind == .upload else {
            try? vault.forgetTransfer(of: record)
            return
        }
        hasLeftovers = true
    }

    /// Removes what commands that no longer exist have left on the server; what cannot be removed now stays for the
    /// next time. Not interrupted when the task is cancelled, because it runs when there is nothing else to do.
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
                // All others would fail in the same way.
                if meaning.status != nil { return }
                if meaning.passes { continue }
            }
            try? PrivateFile.remove(journal)
        }
    }
}

extension EventFailure.Meaning {
    /// Whether the same may be possible at another time, although the server has answered.
    fileprivate var passes: Bool { [.troubled, .locked, .cancelled, .hindered].contains(self) }
}
