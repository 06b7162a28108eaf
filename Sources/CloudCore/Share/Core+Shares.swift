import FileProviding
import Foundation

/// Shares belong to the server: what is done to them is done there at once, or fails; nothing waits until the server is
/// back. The server's last report of them is in the vault, in ``Item/shares``, and queries report changes.
extension Core {
    /// Shares an item with somebody, or by a link.
    ///
    /// - Throws: `.featureUnsupported` if the server does not support shares, or does not have this item yet, which is
    ///   still to be sent; the server's own message if it requires something else, such as a better password; what the
    ///   connection throws.
    @discardableResult
    public func share(_ item: LocalID, _ draft: ShareDraft) async throws -> Share {
        let (connection, path) = (try sharing(), try await serverPath(of: item))
        let share = try await asking { try await connection.createShare(of: path, draft) }
        try await note(of: item) { $0.byMe = $0.byMe.filter { $0.id != share.id } + [share] }
        return share
    }

    /// Changes one of an item's shares; whatever is `nil` in the draft stays as it is.
    @discardableResult
    public func updateShare(_ share: Share, of item: LocalID, _ draft: ShareDraft) async throws -> Share {
        let (connection, path) = (try sharing(), try await serverPath(of: item))
        let changed = try await asking { try await connection.updateShare(share.moved(to: path), draft) }
        try await note(of: item) { $0.byMe = $0.byMe.map { $0.id == changed.id ? changed : $0 } }
        return changed
    }

    /// Ends one of an item's shares. A share that the server no longer has is fine.
    public func removeShare(_ share: Share, of item: LocalID) async throws {
        let (connection, path) = (try sharing(), try await serverPath(of: item))
        do { try await asking { try await connection.removeShare(share.moved(to: path)) } } catch
            where error.isNoSuchFile || error.httpStatus == 404
        {}
        try await note(of: item) { $0.byMe.removeAll { $0.id == share.id } }
    }

    /// Returns the users and groups that an item can be shared with and that match a text, exact matches first.
    public func sharees(matching text: String, for item: LocalID) async throws -> [Sharee] {
        let (connection, path) = (try sharing(), try await serverPath(of: item))
        return try await asking { try await connection.sharees(matching: text, for: path) }
    }

    /// Fetches the account's shares of an item from the server, and returns all known shares of the item.
    @discardableResult
    public func refreshShares(of item: LocalID) async throws -> ItemShares {
        let (connection, path) = (try sharing(), try await serverPath(of: item))
        let shares = try await asking { try await connection.shares(of: path) }
        return try await note(of: item) { $0.byMe = shares }
    }

    /// Fetches all shares from the server, the account's own and those with it: two requests, however many items there
    /// are. While the core runs, it does so after each scan.
    public func refreshShares() async throws {
        let connection = try sharing()
        let (mine, others) = try await asking {
            (try await connection.shares(of: nil), try await connection.sharesWithMe())
        }
        try await vault.database.write { try $0.setShares(byMe: mine, withMe: others) }
        try await pump.follow()
    }

    /// Does the same if the server supports shares. A server that refuses to report them does everything else all the
    /// same.
    func followShares() async throws {
        do { try await refreshShares() } catch
            where error.isUnsupported || error is any FileProviderHTTPError
            || (error as? URLError)?.code == .cannotParseResponse
        {
            logger.debug("shares are unavailable", metadata: ["error": "\(error.localizedDescription)"])
        }
    }

    private func sharing() throws -> any SharingConnection {
        guard let connection = connection as? any SharingConnection else {
            throw FileError.unsupported(vault.bookmark.name, "this connection knows no shares")
        }
        return connection
    }

    /// Returns where the server has an item.
    private func serverPath(of item: LocalID) async throws -> ItemPath {
        let (known, path) = try await vault.database.read { reader in
            (try reader.item(item), try reader.serverPlace(of: item).map(reader.serverPath(of:)))
        }
        guard let known, !known.isRemoved else { throw FileError.noSuchFile("item \(item)") }
        guard known.cloudStatus != .localOnly else {
            throw FileError.unsupported(known.path, "what is not on the server yet cannot be shared")
        }
        return path ?? known.path
    }

    @discardableResult
    private func note(
        of item: LocalID, _ change: @escaping @Sendable (inout ItemShares) -> Void
    ) async throws -> ItemShares {
        let shares = try await vault.database.write { writer in
            var shares = try writer.reader.item(item)?.shares ?? ItemShares()
            change(&shares)
            try writer.setShares(of: item, shares)
            return try writer.reader.item(item)?.shares ?? ItemShares()
        }
        try? await pump.follow()
        return shares
    }
}
