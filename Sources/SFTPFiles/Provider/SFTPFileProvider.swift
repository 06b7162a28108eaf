import FileProviding
import Foundation

/// Files on a server that speaks SFTP (version 3, draft-ietf-secsh-filexfer-02), as OpenSSH's does, with its extensions.
///
/// A write goes to a hidden temporary file beside the final one and takes its name when it is complete. Requests travel
/// over one connection, any number at once; a large file may take further ones. Times are whole seconds.
public struct SFTPFileProvider: FileProvider, FileProviderBasicRemote {
    /// `"SFTP"`.
    public static let type = "SFTP"

    /// What the provider was made from.
    public let configuration: SFTPConfiguration
    /// The connection, shared with copies.
    public let session: SFTPSession
    /// Delegates and registrations of this instance.
    public let context = FileProviderContext()
    /// What was done through this instance.
    public let undoHistory = UndoHistory()
    /// Who logs in.
    public let credential: Credential?
    /// The roots of the providers whose directory this is, which links must not leave either.
    private let enclosing: [ItemPath]

    /// A provider that connects when it is first used.
    ///
    /// - Parameters:
    ///   - configuration: where the server is and how it is reached.
    ///   - credential: user and password, for servers that want one; keys and agents need none.
    ///   - interaction: asks the person at first contact and for passphrases; without it both are refused.
    /// - Throws: `URLError(.badURL)` for a host or user that is none; `URLError(.unsupportedURL)` for a token.
    public init(
        configuration: SFTPConfiguration, credential: Credential?, interaction: (any SSHInteraction)? = nil
    ) throws {
        let transports = try SSHTransports(configuration, credential)
        let pool = Self.pool(configuration, helpers: transports.helpers, transports.transport)
        pool.interaction = interaction
        self.init(configuration, SFTPSession(pool), credential)
    }

    /// A provider over any transport.
    package init(configuration: SFTPConfiguration, transport: any SSHTransport) {
        self.init(configuration, SFTPSession(Self.pool(configuration, helpers: [transport]) { _ in transport }), nil)
    }

    private static func pool(
        _ configuration: SFTPConfiguration, helpers: [any SSHTransport],
        _ transport: @escaping @Sendable ((any SSHInteraction)?) -> any SSHTransport
    ) -> ConnectionPool {
        let (url, ssh) = (configuration.url, configuration.ssh)
        let patience = Duration.milliseconds(Int(ssh.answerTimeout * 1000))
        let idleLimit = Duration.milliseconds(Int(ssh.idleTimeout * 1000))
        let helpers = helpers.map { helper -> ConnectionPool.HelperConnector in
            { try SFTPConnection(helper, url: url, patience: patience, idleLimit: idleLimit) }
        }
        return ConnectionPool(width: ssh.connections, helpers: helpers) { interaction in
            try SFTPConnection(transport(interaction), url: url, patience: patience)
        }
    }

    private init(
        _ configuration: SFTPConfiguration, _ session: SFTPSession, _ credential: Credential?,
        within enclosing: [ItemPath] = []
    ) {
        self.configuration = configuration
        self.session = session
        self.credential = credential
        self.enclosing = enclosing
    }

    /// The same server and connection, with delegates of its own.
    public func copy() -> SFTPFileProvider {
        SFTPFileProvider(configuration, session, credential, within: enclosing)
    }

    /// A provider of a directory of this one, over the same connection.
    public func rooted(at directory: ItemPath) -> SFTPFileProvider {
        let enclosing = configuration.confinesLinks ? enclosing + [configuration.root] : []
        var configuration = configuration
        configuration.root = configuration.root.appending(directory)
        configuration.confinesLinks = true
        return SFTPFileProvider(configuration, session.sharing(), credential, within: enclosing)
    }

    /// `sftp://user@host:port/` and the root; below a home directory `/~/`.
    public var baseURL: URL? { configuration.url }

    /// Host, port, user and root. Homes are storages of their own: where they are is not known before connecting.
    public var identity: ProviderIdentity {
        var authority = "\(configuration.host.lowercased()):\(configuration.port ?? 22)"
        if case .home(let user) = configuration.base { authority += "/~\(user ?? "")" }
        return ProviderIdentity(
            type: Self.type, authority: authority, root: configuration.root,
            account: credential?.user ?? configuration.user)
    }

    /// The tree over a connection that is up.
    func tree() async throws -> RemoteTree {
        try await tree(over: session.client())
    }

    /// The tree over a connection.
    func tree(over client: SFTPClient) async throws -> RemoteTree {
        let root = try await session.resolvedRoot(configuration, within: enclosing, client)
        return RemoteTree(
            client: client, root: root, confines: configuration.confinesLinks && root != [UInt8(ascii: "/")],
            maximumEntries: configuration.maximumEntries)
    }
}

extension SFTPFileProvider: FileProviderUndoable {
    /// Everything but removing and writing.
    public func canUndo(_ operation: FileOperationType) -> Bool {
        switch operation {
        case .create, .copy, .move, .link: true
        case .remove, .modify, .fetch, .upload, .download: false
        }
    }
}
