/// The configuration of a provider over HTTP, as far as it concerns the connection to the server.
public protocol HTTPProviderConfiguration {
    /// Deadlines, certificates, proxies and other connection settings.
    var http: HTTPSessionConfiguration { get set }
}
