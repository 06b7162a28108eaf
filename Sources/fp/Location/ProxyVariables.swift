import FileProviders
import Foundation

/// The proxies that the environment names, by the rules of curl: `https_proxy`, `http_proxy` (in lower case only, since
/// a web server's programs get a request's `Proxy` field in the other one), otherwise `all_proxy`; and in `no_proxy`
/// the hosts that are reached without one. This machine always is.
struct ProxyVariables {
    /// How a server is reached.
    struct Route {
        var proxy: URL
        /// The hosts and domains that are reached without it.
        var exceptions: [String]
    }

    private let environment: Environment

    init(_ environment: Environment) { self.environment = environment }

    /// Returns how a server over HTTP is reached; `nil` without a proxy, and for others.
    ///
    /// - Throws: ``Refusal`` for a variable with something else than the URL of a proxy: going straight could show
    ///   others what a proxy is to hide.
    func route(to server: URL) throws -> Route? {
        guard let own = Self.variables[server.scheme ?? ""],
            let name = (own + ["all_proxy", "ALL_PROXY"]).first(where: { environment[$0] != nil }),
            let text = environment[name]
        else { return nil }
        guard let proxy = URL(string: text.contains("://") ? text : "http://\(text)"), proxy.host()?.isEmpty == false,
            Self.schemes.contains(proxy.scheme?.lowercased() ?? "")
        else { throw Refusal(name, "not the URL of a proxy", remedy: "one is like http://proxy.example:3128") }
        let exceptions = environment["no_proxy"] ?? environment["NO_PROXY"] ?? ""
        return Route(
            proxy: proxy,
            exceptions: exceptions.split { $0 == "," || $0.isWhitespace }.map(String.init) + Self.thisMachine)
    }

    private static let variables = ["https": ["https_proxy", "HTTPS_PROXY"], "http": ["http_proxy"]]
    private static let schemes = ["http", "https", "socks4", "socks4a", "socks5", "socks5h"]
    private static let thisMachine = ["localhost", "127.0.0.0/8", "::1"]
}
