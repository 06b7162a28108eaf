import FileProviding

/// What makes an SFTP provider but its secret.
public struct SFTPConfiguration: Codable, Hashable, Sendable, SSHProviderConfiguration {
    /// The server's name or address; with the OpenSSH client also an alias of its configuration.
    public var host: String
    /// The port, or `nil` for 22, or what the OpenSSH client's configuration says.
    public var port: Int?
    /// Who logs in, or `nil` for the person's own name here.
    public var user: String?
    /// The directory that is the provider's root, seen from ``base``.
    public var root: ItemPath
    /// What ``root`` is seen from.
    public var base: Base
    /// Whether links that lead out of the root are refused. They are looked at before each operation; against someone who
    /// swaps them meanwhile, only the server can help (`ChrootDirectory`). Means nothing for the server's own root.
    public var confinesLinks: Bool
    /// How many entries one directory may have. A server that lists more is taken for one that lists without end.
    public var maximumEntries = 10_000_000
    /// How the server is reached.
    public var ssh = SSHConfiguration()

    /// A directory on the server that paths begin at.
    public enum Base: Codable, Hashable, Sendable {
        /// The server's root.
        case fileSystem
        /// The home directory of the person who logs in, or of another user.
        case home(user: String?)
    }

    /// A provider of a directory on a host.
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
