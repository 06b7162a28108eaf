import FileProviding

/// Copies that no longer belong to an item but are still claimed: a program that has one open accesses it by path.
extension ItemWriter {
    /// Returns whether an item's copy has a claim with at least this lock that holds or may hold again. Removes claims
    /// that can never hold again.
    func isClaimed(_ id: LocalID, _ lock: Claim.Lock = .delete) throws -> Bool {
        let claims = try reader.claims(on: id)
        let over = claims.filter { $0.claim.isOver(circumstances) }
        for claim in over { try removeClaim(claim.id) }
        return claims.contains { $0.lock >= lock && !over.contains($0) }
    }

    /// Releases copies that no longer belong to an item. Claimed copies are kept until their claims are over.
    ///
    /// - Parameter lock: the weakest lock that keeps them: `.delete` for copies to be removed, `.write` for copies to
    ///   be replaced.
    /// - Returns: the copies that can be removed now.
    func letGo(_ copies: [LocalCopy], of item: LocalID, _ lock: Claim.Lock) throws -> [LocalCopy] {
        guard try isClaimed(item, lock) else { return try copies.filter { try !reader.isHeld($0) } }
        for copy in copies { try hold(copy, of: item, lock) }
        return []
    }

    /// Keeps a copy while the item has a claim with at least this lock.
    func hold(_ copy: LocalCopy, of item: LocalID, _ lock: Claim.Lock) throws {
        try execute("INSERT OR REPLACE INTO heldCopies VALUES (?, ?, ?)", [copy.id, item.rawValue, lock.rawValue])
    }

    /// Deletes the records of held copies that are no longer claimed.
    func forgetUnclaimedCopies() throws {
        try execute(
            """
            DELETE FROM heldCopies WHERE NOT EXISTS
                (SELECT 1 FROM claims WHERE claims.itemID = heldCopies.itemID AND claims.lock >= heldCopies.lock)
            """, [])
    }
}

extension ItemReader {
    /// Returns whether a copy is kept because of a claim.
    func isHeld(_ copy: LocalCopy) throws -> Bool {
        try database.firstRow(of: "SELECT 1 FROM heldCopies WHERE copyID = ?", [copy.id]) { _ in true } ?? false
    }
}
