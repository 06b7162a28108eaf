/// The configuration of a provider over SSH, as far as it concerns the connection to the server.
public protocol SSHProviderConfiguration {
    /// Transport, keys, known hosts and deadlines.
    var ssh: SSHConfiguration { get set }
}
