import FileProviding

/// A capability that a provider may have: a conformance, or something that varies by server.
public enum ContractCapability: String, Sendable, Hashable, CaseIterable {
    /// Files can be read.
    case reading
    /// Files can be written.
    case writing
    /// Directories can be created.
    case creating
    /// Items can be copied within the provider.
    case copying
    /// Items can be moved within the provider.
    case moving
    /// Items can be removed.
    case removing
    /// There are symbolic links.
    case symbolicLinks
    /// Uploads can be continued.
    case partialWrites
    /// Changes are reported as they happen.
    case monitoring
    /// Operations can be undone.
    case undoing
    /// Removed items can be restored.
    case trash
    /// Attributes of existing items can be changed.
    case settingAttributes
    /// Items can be marked as favorites.
    case favorites
    /// Directories have tokens that change with their contents.
    case changeTokens
    /// Hashes are known without reading files.
    case checksums
    /// Files can be opened directly on this machine.
    case localAccess
    /// Items can be given public links.
    case publicLinks
    /// Shares can be managed.
    case shares
    /// There are thumbnails and properties.
    case details
    /// The server reports the account that the credential belongs to.
    case accounts
    /// Earlier versions are kept.
    case versions
    /// The account has several trees.
    case spaces
    /// Providers can be created from configurations and URLs.
    case configuration
    /// The provider uses a network connection.
    case remote

    /// The capabilities of a plain provider of files.
    public static let basic: Set<ContractCapability> = [.reading, .writing, .creating, .copying, .moving, .removing]

    /// Returns whether the provider's type conforms to the protocol of this capability.
    func isConformed(by provider: any FileProviderBasic) -> Bool {
        switch self {
        case .reading, .writing: provider is any FileProviderReadWrite
        case .creating, .copying, .moving, .removing: provider is any FileProviderOperations
        case .symbolicLinks: provider is any FileProviderSymbolicLink
        case .partialWrites: provider is any FileProviderPartialWrite
        case .monitoring: provider is any FileProviderMonitor
        case .undoing: provider is any FileProviderUndoable
        case .trash: provider is any TrashProvider
        case .settingAttributes: provider is any AttributeProvider
        case .favorites: provider is any FavoriteProvider
        case .changeTokens: provider is any ChangeTokenProvider
        case .checksums: provider is any ChecksumProvider
        case .localAccess: provider is any FileProviderLocalAccess
        case .publicLinks: provider is any FileProviderSharing
        case .shares: provider is any ShareProvider
        case .details: provider is any ExtendedFileProvider
        case .accounts: provider is any AccountProvider
        case .versions: provider is any VersionProvider
        case .spaces: provider is any SpaceProvider
        case .configuration: provider is any ConfigurableFileProvider
        case .remote: provider is any FileProviderBasicRemote
        }
    }

    /// The capability by which a provider reports this in ``FileProviding/FileProviderBasic/capabilities(path:)``;
    /// `nil` for what only its conformances show.
    var told: ProviderCapability? {
        switch self {
        case .reading: .read
        case .symbolicLinks: .symlinks
        case .partialWrites: .resume
        case .monitoring: .monitor
        case .undoing: .undo
        case .trash: .trash
        case .settingAttributes: .attributes
        case .favorites: .favorites
        case .changeTokens: .changeTokens
        case .checksums: .checksums
        case .publicLinks: .sharing
        case .details: .thumbnails
        case .accounts: .accounts
        case .versions: .versions
        case .spaces: .spaces
        case .writing, .creating, .copying, .moving, .removing, .localAccess, .shares, .configuration, .remote: nil
        }
    }
}
