import FileProviding

/// How an SSH server is reached. Holds no secret.
public struct SSHConfiguration: Codable, Hashable, Sendable {
    /// A way to speak SSH.
    public enum Transport: String, Codable, Hashable, Sendable, CaseIterable {
        /// libssh2; the OpenSSH client where the server or a key needs what libssh2 cannot do and the client is installed.
        case automatic
        /// libssh2, within this process.
        case libssh2
        /// The OpenSSH client, with the person's configuration, agents, jump hosts and hardware keys.
        case openssh
    }

    /// Which implementation speaks SSH.
    public var transport = Transport.automatic
    /// The files of known hosts, or `nil` for `~/.ssh/known_hosts` and `/etc/ssh/ssh_known_hosts`; a host that is accepted
    /// is added to the first.
    public var knownHosts: [LocalPath]?
    /// The private keys to log in with, or `nil` for those in `~/.ssh` under their usual names.
    public var keys: [LocalPath]?
    /// Whether the agent (`SSH_AUTH_SOCK`) is asked for keys.
    public var usesAgent = true
    /// The agent's socket, or `nil` for the one that the environment names.
    public var agent: LocalPath?
    /// How long to wait for the connection, in seconds, beside what a person takes to answer.
    public var connectTimeout = 30.0
    /// How long a server may owe an answer without sending or taking a byte, in seconds; ten times as long while it has a file
    /// to flush, close, copy, rename or remove.
    public var answerTimeout = 60.0
    /// How many connections carry a large file, at most 6, or `nil` to choose: several where the server is far away or
    /// there are processors to spare. A server that allows fewer gets fewer. Many small files at once take a second
    /// one, unless this is 1.
    public var connections: Int?
    /// After how long without work a connection that only helps is closed, in seconds.
    public var idleTimeout = 30.0
    /// The OpenSSH client, or what becomes it by `exec`: a password is told to the process that was started, and to no other.
    public var program = LocalPath("/usr/bin/ssh")
    /// Further arguments for the OpenSSH client, such as `-F` and a file.
    public var programArguments: [String] = []

    /// The defaults above.
    public init() {}
}
