import FileProviding
import Foundation

/// Files on a server that supports SFTP (version 3, draft-ietf-secsh-filexfer-02), with the extensions of OpenSSH's
/// server.
///
/// A write goes to a hidden temporary file next to the final one, which is renamed when it is complete. Requests share
/// one connection, with any number in flight; a large file, or many small ones at once, may use additional ones. Times
/// are whole seconds.
public struct SFTPFileProvider: FileProvider, FileProviderBasicRemote {
    /// `"SFTP"`.
    public static let type = "SFTP"

    /// The configuration that this provider was created from.
    public let configuration: SFTPConfiguration
    /// The connection, shared with copies.
    public let session: SFTPSession
    /// The delegates and registrations of this instance.
    public let context = FileProviderContext()
    /// The operations done through this instance.
    public let undoHistory = UndoHistory()
    /// The credential used to log in.
    public let credential: Credential?
    private let loginName: LoginName
    /// The roots of the providers that this provider's directory was derived from, which links must not leave either.
    private let enclosing: [ItemPath]

    /// Creates a provider that connects when it is first used.
    ///
    /// - Parameters:
    ///   - configuration: where the server is and how it is reached.
    ///   - credential: user and password, for servers that require one; keys and agents need none.
    ///   - interaction: asks the user at first contact and for passphrases; without it both are refused.
    /// - Throws: `URLError(.badURL)` for an invalid host or user; `URLError(.unsupportedURL)` for a token.
    public init(
        configuration: SFTPConfiguration, credential: Credential?, interaction: (any SSHInteraction)? = nil
    ) throws {
        let transports = try SSHTransports(configuration, credential)
        let pool = Self.pool(configuration, helpers: transports.helpers, transports.transport)
        pool.interaction = interaction
        self.init(configuration, SFTPSession(pool), credential, LoginName(configuration, credential))
    }

    /// Creates a provider over any transport.
    package init(configuration: SFTPConfiguration, transport: any SSHTransport) {
        let pool = Self.pool(configuration, helpers: [transport]) { _ in transport }
        self.init(configuration, SFTPSession(pool), nil, LoginName(configuration, nil))
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
        _ configuration: SFTPConfiguration, _ session: SFTPSession, _ credential: Credential?, _ loginName: LoginName,
        within enclosing: [ItemPath] = []
    ) {
        self.configuration = configuration
        self.session = session
        self.credential = credential
        self.loginName = loginName
        self.enclosing = enclosing
    }

    /// Returns a provider of the same server and connection, with its own delegates.
    public func copy() -> SFTPFileProvider {
        SFTPFileProvider(configuration, session, credential, loginName, within: enclosing)
    }

    /// Returns a provider of a directory of this one, over the same connections. Links that lead out of the directory
    /// are refused, even if this provider follows them.
    public func rooted(at directory: ItemPath) -> SFTPFileProvider {
        let enclosing = configuration.confinesLinks ? enclosing + [configuration.root] : []
        var configuration = configuration
        configuration.root = configuration.root.appending(directory)
        configuration.confinesLinks = true
        return SFTPFileProvider(configuration, session.sharing(), credential, loginName, within: enclosing)
    }

    /// `sftp://user@host:port/` and the root; below a home directory `/~/`.
    public var baseURL: URL? { configuration.url }

    /// The host, port, user and root. The user is the one that logs in, even if the configuration names none. Home
    /// directories are separate storages, because their location is unknown before connecting.
    public var identity: ProviderIdentity {
        var authority = "\(configuration.host.lowercased()):\(configuration.port ?? 22)"
        if case .home(let user) = configuration.base { authority += "/~\(user ?? "")" }
        return ProviderIdentity(
            type: Self.type, authority: authority, root: configuration.root,
            account: loginName.value)
    }

    /// Returns the tree over an established connection.
    func tree() async throws -> RemoteTree {
        try await tree(over: session.client())
    }

    /// Returns the tree over a connection.
    func tree(over client: SFTPClient) async throws -> RemoteTree {
        let root = try await session.resolvedRoot(configuration, within: enclosing, client)
        return RemoteTree(
            client: client, root: root, confines: configuration.confinesLinks && root != [UInt8(ascii: "/")],
            maximumEntries: configuration.maximumEntries)
    }
}

extension SFTPFileProvider: FileProviderUndoable {
    /// Returns `true` for everything except removing and writing.
    public func canUndo(_ operation: FileOperationType) -> Bool {
        switch operation {
        case .create, .copy, .move, .link: true
        case .remove, .modify, .fetch, .upload, .download: false
        }
    }
}
