import FileProviding

extension Core {
    /// Returns a thumbnail of a file: the vault's if it shows the current version, otherwise the server's, which is
    /// kept in the vault.
    ///
    /// - Parameters:
    ///   - item: the file.
    ///   - size: the size that it has to fit into; `nil` leaves that to the server.
    /// - Throws: `.featureUnsupported` when the server has none for such a file; what the connection throws when the
    ///   vault has none.
    public func thumbnail(of item: LocalID, within size: PixelSize? = nil) async throws -> Thumbnail {
        guard let file = try await self.item(item), !file.isRemoved else { throw FileError.noSuchFile("item \(item)") }
        let version = file.version.contents
        if let kept = try vault.thumbnail(of: item, within: size, version: version) { return kept }
        // The server knows nothing about contents that only the vault has.
        guard file.cloudStatus != .localOnly, file.cloudStatus != .locallyModified else {
            throw FileError.unsupported(file.path, "a picture of contents that are not on the server yet")
        }
        let path = try await vault.database.read { reader in
            try reader.serverPlace(of: item).map(reader.serverPath(of:))
        }
        let thumbnail = try await asking { try await connection.thumbnail(of: path ?? file.path, within: size) }
        // One that cannot be kept can be shown all the same.
        try? vault.keep(thumbnail, of: item, within: size, version: version)
        return thumbnail
    }
}
