import FileProviding

/// The shares of items.
extension ItemWriter {
    /// Stores the server's report of one item's shares.
    func setShares(of id: LocalID, _ shares: ItemShares) throws {
        guard let item = try reader.item(id), item.shares != shares.moved(to: item.path) else { return }
        try execute(
            "UPDATE items SET shares = ?, revision = ? WHERE localID = ?",
            [shares.isEmpty ? nil : try ItemRow.encoded(shares), nextRevision(), id.rawValue])
    }

    /// Stores all existing shares: every other item has none. Shares of items that are not known yet, or that are at
    /// another place than on the server, are left to the next time.
    func setShares(byMe: [Share], withMe: [Share]) throws {
        var told: [LocalID: ItemShares] = [:]
        func add(_ share: Share, to list: WritableKeyPath<ItemShares, [Share]>) throws {
            guard let item = try reader.item(at: share.path), try reader.isInPlace(item) else { return }
            told[item.localID, default: ItemShares()][keyPath: list].append(share)
        }
        for share in byMe { try add(share, to: \.byMe) }
        for share in withMe { try add(share, to: \.withMe) }
        for item in try reader.sharedItems() where try told[item.localID] == nil && reader.isInPlace(item) {
            told[item.localID] = ItemShares()
        }
        for (id, shares) in told { try setShares(of: id, shares) }
    }
}

extension ItemReader {
    /// Returns the items with shares.
    fileprivate func sharedItems() throws -> [Item] { try items("shares IS NOT NULL", []) }

    /// Returns whether the server has an item under its local path.
    fileprivate func isInPlace(_ item: Item) throws -> Bool {
        try serverPlace(of: item.localID).map { try serverPath(of: $0) == item.path } ?? false
    }
}
