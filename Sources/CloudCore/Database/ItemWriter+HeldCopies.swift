import FileProviding

/// Copies that are an item's no more while somebody claims them: whoever has one open reads it by its path.
extension ItemWriter {
    /// Whether anybody claims an item's copy, with this lock or more, or may come to do so again; claims that are over are
    /// forgotten.
    func isClaimed(_ id: LocalID, _ lock: Claim.Lock = .delete) throws -> Bool {
        let claims = try reader.claims(on: id)
        let over = claims.filter { $0.claim.isOver(circumstances) }
        for claim in over { try removeClaim(claim.id) }
        return claims.contains { $0.lock >= lock && !over.contains($0) }
    }

    /// Lets copies go that are an item's no more. Those that somebody claims stay until that is over.
    ///
    /// - Parameter lock: which claims keep them: any from being removed, `.write` from being replaced.
    /// - Returns: the copies that nobody needs any more.
    func letGo(_ copies: [LocalCopy], of item: LocalID, _ lock: Claim.Lock) throws -> [LocalCopy] {
        guard try isClaimed(item, lock) else { return try copies.filter { try !reader.isHeld($0) } }
        for copy in copies { try hold(copy, of: item, lock) }
        return []
    }

    /// Keeps a copy for those who claim that of an item with this lock or more.
    func hold(_ copy: LocalCopy, of item: LocalID, _ lock: Claim.Lock) throws {
        try execute("INSERT OR REPLACE INTO heldCopies VALUES (?, ?, ?)", [copy.id, item.rawValue, lock.rawValue])
    }

    /// Forgets the copies that nobody claims any more.
    func forgetUnclaimedCopies() throws {
        try execute(
            """
            DELETE FROM heldCopies WHERE NOT EXISTS
                (SELECT 1 FROM claims WHERE claims.itemID = heldCopies.itemID AND claims.lock >= heldCopies.lock)
            """, [])
    }
}

extension ItemReader {
    /// Whether a copy is kept for those who claim it.
    func isHeld(_ copy: LocalCopy) throws -> Bool {
        try database.firstRow(of: "SELECT 1 FROM heldCopies WHERE copyID = ?", [copy.id]) { _ in true } ?? false
    }
}
