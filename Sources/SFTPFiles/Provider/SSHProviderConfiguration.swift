/// The configuration of a provider over SSH, as far as it is about reaching the server.
public protocol SSHProviderConfiguration {
    /// Transport, keys, known hosts, deadlines.
    var ssh: SSHConfiguration { get set }
}
