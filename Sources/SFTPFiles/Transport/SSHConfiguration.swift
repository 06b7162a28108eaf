import FileProviding

/// The settings by which an SSH server is reached. They hold no secret.
public struct SSHConfiguration: Codable, Hashable, Sendable {
    /// An SSH implementation.
    public enum Transport: String, Codable, Hashable, Sendable, CaseIterable {
        /// libssh2; or the OpenSSH client, if it is installed and the server or a key needs what libssh2 does not
        /// support.
        case automatic
        /// libssh2, within this process.
        case libssh2
        /// The OpenSSH client, with the user's configuration, agents, jump hosts and hardware keys.
        case openssh
    }

    /// The SSH implementation to use.
    public var transport = Transport.automatic
    /// The files of known hosts, or `nil` for `~/.ssh/known_hosts` and `/etc/ssh/ssh_known_hosts`; a host that is
    /// accepted is added to the first.
    public var knownHosts: [LocalPath]?
    /// The private keys to log in with, or `nil` for those in `~/.ssh` under their usual names.
    public var keys: [LocalPath]?
    /// Whether keys of the agent (`SSH_AUTH_SOCK`) are used.
    public var usesAgent = true
    /// The agent's socket, or `nil` for the one that the environment names.
    public var agent: LocalPath?
    /// The limit for connecting and logging in, in seconds, not counting the time that a user takes to answer; libssh2
    /// gives a third of it to the network connection, once the name is resolved; the OpenSSH client all of it.
    public var connectTimeout = 30.0
    /// How long a server may owe an answer while it accepts nothing and sends less than 100 bytes per second, in
    /// seconds; ten times as long while it has a file to flush, close, copy, rename or remove.
    public var answerTimeout = 30.0
    /// The number of connections for a large file, at most 6, or `nil` to choose automatically: several if the server
    /// is far away or processors are idle. A server that allows fewer gets fewer. Many small files at once use a second
    /// one, unless this is 1.
    public var connections: Int?
    /// The time without work after which an additional connection is closed, in seconds.
    public var idleTimeout = 30.0
    /// The OpenSSH client, or a program that becomes it by `exec`: a password is given to the process that was started,
    /// and to no other.
    public var program = LocalPath("/usr/bin/ssh")
    /// Additional arguments for the OpenSSH client, such as `-F` and a file.
    public var programArguments: [String] = []

    /// Creates a configuration with the defaults.
    public init() {}
}
