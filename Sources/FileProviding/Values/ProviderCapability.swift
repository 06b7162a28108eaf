/// What a kind of provider can do, read off its conformances. Their names are for people and for keeping.
public enum ProviderCapability: String, CaseIterable, Sendable, Codable {
    /// Look at directories and items.
    case list = "list"
    /// Read files.
    case read = "read"
    /// Write files.
    case write = "write"
    /// Create, copy, move, remove.
    case operations = "operations"
    /// Change times and permissions of what is there.
    case attributes = "attributes"
    /// Continue an interrupted write.
    case resume = "resume"
    /// Tell of changes.
    case monitor = "monitor"
    /// Symbolic links.
    case symlinks = "symlinks"
    /// Take back what was done.
    case undo = "undo"
    /// Trash.
    case trash = "trash"
    /// Earlier versions.
    case versions = "versions"
    /// Marks on what matters.
    case favorites = "favorites"
    /// Links and shares.
    case sharing = "sharing"
    /// Thumbnails and file properties.
    case thumbnails = "thumbnails"
    /// Hashes without reading.
    case checksums = "checksums"
    /// Directory marks that change with their contents.
    case changeTokens = "change tokens"
    /// An index of names on the server.
    case searchIndex = "search index"
    /// Whom the server takes one for.
    case accounts = "accounts"
    /// Several trees of one account.
    case spaces = "spaces"
    /// Ask whether a certificate is trusted.
    case serverTrust = "server trust"

    /// Whether providers of this kind conform.
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
    /// What can be done here: what the kind of provider can do, but for what this server is known to lack
    /// (``ProviderCharacteristics/lacks``). Something else may still be refused, such as a thumbnail of a text.
    ///
    /// - Throws: what finding out about the server throws.
    public func capabilities(path: ItemPath = .root) async throws -> Set<ProviderCapability> {
        let lacks = try await characteristics(path: path).lacks
        return Set(ProviderCapability.allCases.filter { $0.holds(for: Swift.type(of: self)) }).subtracting(lacks)
    }
}
