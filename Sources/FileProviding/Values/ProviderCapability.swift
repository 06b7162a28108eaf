/// Something that a kind of provider can do, derived from its conformances. The raw values are for display and storage.
public enum ProviderCapability: String, CaseIterable, Sendable, Codable {
    /// List directories and look up items.
    case list = "list"
    /// Read files.
    case read = "read"
    /// Write files.
    case write = "write"
    /// Create, copy, move, remove.
    case operations = "operations"
    /// Change times and permissions of existing items.
    case attributes = "attributes"
    /// Continue an interrupted write.
    case resume = "resume"
    /// Report changes.
    case monitor = "monitor"
    /// Symbolic links.
    case symlinks = "symlinks"
    /// Undo operations.
    case undo = "undo"
    /// Trash.
    case trash = "trash"
    /// Earlier versions.
    case versions = "versions"
    /// Mark favorites.
    case favorites = "favorites"
    /// Links and shares.
    case sharing = "sharing"
    /// Thumbnails and file properties.
    case thumbnails = "thumbnails"
    /// Report hashes without reading files.
    case checksums = "checksums"
    /// Report directory tokens that change with the directory's contents.
    case changeTokens = "change tokens"
    /// Search an index of names on the server.
    case searchIndex = "search index"
    /// Report the account that the credential belongs to.
    case accounts = "accounts"
    /// Offer several trees to one account.
    case spaces = "spaces"
    /// Ask whether a certificate is trusted.
    case serverTrust = "server trust"

    /// Returns whether providers of this kind have the capability.
    public func holds(for kind: any FileProviderBasic.Type) -> Bool {
        switch self {
        case .list: true
        case .read: kind is any FileProviderReadWrite.Type
        case .write: kind is any FileProviderReadWrite.Type && !(kind is any ReadOnlyFileProvider.Type)
        case .operations: kind is any FileProviderOperations.Type && !(kind is any ReadOnlyFileProvider.Type)
        case .attributes: kind is any AttributeProvider.Type
        case .resume: kind is any FileProviderPartialWrite.Type
        case .monitor: kind is any FileProviderMonitor.Type
        case .symlinks: kind is any FileProviderSymbolicLink.Type
        case .undo: kind is any FileProviderUndoable.Type
        case .trash: kind is any TrashProvider.Type
        case .versions: kind is any VersionProvider.Type
        case .favorites: kind is any FavoriteProvider.Type
        case .sharing: kind is any FileProviderSharing.Type
        case .thumbnails: kind is any ExtendedFileProvider.Type
        case .checksums: kind is any ChecksumProvider.Type
        case .changeTokens: kind is any ChangeTokenProvider.Type
        case .searchIndex: kind is any IndexedSearchProvider.Type
        case .accounts: kind is any AccountProvider.Type
        case .spaces: kind is any SpaceProvider.Type
        case .serverTrust: kind is any FileProviderServerTrust.Type
        }
    }
}

extension FileProviderBasic {
    /// Returns what this provider can do at `path`: what the kind of provider can do, without what this server is known
    /// to lack (``ProviderCharacteristics/lacks``). A particular request may still be refused, such as a thumbnail of a
    /// text file.
    ///
    /// - Throws: what determining the server's characteristics throws.
    public func capabilities(path: ItemPath = .root) async throws -> Set<ProviderCapability> {
        let lacks = try await characteristics(path: path).lacks
        return Set(ProviderCapability.allCases.filter { $0.holds(for: Swift.type(of: self)) }).subtracting(lacks)
    }
}
