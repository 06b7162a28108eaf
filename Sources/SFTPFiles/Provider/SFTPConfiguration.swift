import FileProviding

/// Everything needed to create an SFTP provider except its secret.
public struct SFTPConfiguration: Codable, Hashable, Sendable, SSHProviderConfiguration {
    /// The server's name or address; with the OpenSSH client also an alias of its configuration.
    public var host: String
    /// The port; `nil` for 22 or, with the OpenSSH client, for the port in its configuration.
    public var port: Int?
    /// The user to log in as, or `nil` for the local user's name.
    public var user: String?
    /// The directory that is the provider's root, relative to ``base``.
    public var root: ItemPath
    /// The directory that ``root`` is relative to.
    public var base: Base
    /// Whether links that lead out of the root are refused. They are checked before each operation; against someone who
    /// replaces them in the meantime, only the server can protect (`ChrootDirectory`). Has no effect if the root is the
    /// server's own.
    public var confinesLinks: Bool
    /// The most entries that one directory may have. A server that lists more is assumed to never stop.
    public var maximumEntries = 10_000_000
    /// The settings for reaching the server.
    public var ssh = SSHConfiguration()

    /// A directory on the server that paths are relative to.
    public enum Base: Codable, Hashable, Sendable {
        /// The server's root.
        case fileSystem
        /// The home directory of the user who logs in, or of another user.
        case home(user: String?)
    }

    /// Creates a configuration of a directory on a host.
    public init(
        host: String, port: Int? = nil, user: String? = nil, root: ItemPath = .root, base: Base = .fileSystem,
        confinesLinks: Bool = true
    ) {
        self.host = host
        self.port = port
        self.user = user
        self.root = root
        self.base = base
        self.confinesLinks = confinesLinks
    }
}
