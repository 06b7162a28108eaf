import FileProviding

/// A database that someone has put back, from a backup for example: copies that it does not know would be leftovers to
/// it, but may be edits that were accepted since.
extension Vault {
    /// Moves the copies that an older database does not know to the recovery folder, and raises an issue.
    func rescueFromOlderDatabase() throws {
        let place = try moveUnknownCopies()
        let copies = place.map { "the copies that it does not know, unsent edits among them, are in \($0)" }
        try database.writeNow { writer in
            // The new history would count through the same numbers again.
            try writer.startNewHistory()
            try writer.raise(
                Issue.ID(.databaseWentBack),
                "the database is an older one, which has been put back; commands since then are lost; "
                    + (copies ?? "it knows all copies of the vault"))
        }
        // Not before it has been reported.
        try database.flush()
    }

    /// - Returns: where they are now; `nil` if there were none. After an interruption, there may be some elsewhere.
    private func moveUnknownCopies() throws -> LocalPath? {
        let copies = Vault.copies(of: folder)
        let known = try database.writeNow { try $0.reader.copyIDs() }
        let unknown = try copies.entryNames().filter { !known.contains($0.text) }
        if unknown.isEmpty { return nil }
        let place = try Vault.freshFolder(in: Vault.recovery(of: folder), at: clock()).appending("copies")
        try PrivateFile.createFolder(place)
        for name in unknown { try Folder.rename(copies.appending(name.bytes), to: place.appending(name.bytes)) }
        return place
    }
}
