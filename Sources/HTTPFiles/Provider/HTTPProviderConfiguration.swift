/// The configuration of a provider over HTTP, as far as it is about reaching the server.
public protocol HTTPProviderConfiguration {
    /// Deadlines, certificates, proxies and the rest.
    var http: HTTPSessionConfiguration { get set }
}
