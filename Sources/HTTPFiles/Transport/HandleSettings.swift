import CCurl
import FileProviding
import Foundation

/// The options that are the same for all transfers of a session.
struct HandleSettings: Sendable {
    var configuration: HTTPSessionConfiguration
    var proxyCredential: Credential?
    /// The session's origin: the only one to which the client's certificate is presented.
    var origin: Origin?

    init(configuration: HTTPSessionConfiguration, proxyCredential: Credential?, origin: Origin?) {
        self.configuration = configuration
        self.origin = origin
        // A stored configuration may contain any number; with zero, all requests would wait.
        self.configuration.maximumConnections = min(max(1, configuration.maximumConnections), 1_000)
        self.proxyCredential = proxyCredential
    }

    func apply(to handle: EasyHandle) {
        handle.set(CURLOPT_NOSIGNAL, 1)
        handle.set(CURLOPT_PROTOCOLS_STR, "http,https")
        handle.set(CURLOPT_FOLLOWLOCATION, 0)
        handle.set(CURLOPT_PATH_AS_IS, 1)
        handle.set(CURLOPT_TCP_NODELAY, 1)
        // The system notices a peer that is gone, even while it is believed to be working.
        handle.set(CURLOPT_TCP_KEEPALIVE, 1)
        handle.set(CURLOPT_TCP_KEEPIDLE, 30)
        handle.set(CURLOPT_TCP_KEEPINTVL, 10)
        handle.set(CURLOPT_HTTP09_ALLOWED, 0)
        handle.set(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1)
        handle.set(CURLOPT_NETRC, 0)
        switch configuration.protocolVersion {
        case .http1:
            handle.set(CURLOPT_HTTP_VERSION, CURL_HTTP_VERSION_1_1)
        case .http2:
            handle.set(CURLOPT_HTTP_VERSION, CURL_HTTP_VERSION_2TLS)
            handle.set(CURLOPT_PIPEWAIT, 1)
        }
        applyProxy(to: handle)
        if let authorities = configuration.certificateAuthorities {
            authorities.withCString { handle.set(CURLOPT_CAINFO, UnsafeRawPointer($0)) }
        }
    }

    private func applyProxy(to handle: EasyHandle) {
        // An empty proxy is "none"; no value would mean "use the environment".
        handle.set(CURLOPT_PROXY, configuration.proxy?.absoluteString ?? "")
        handle.set(CURLOPT_NOPROXY, configuration.proxyExceptions.joined(separator: ","))
        guard configuration.proxy != nil, case .password(let user, let password) = proxyCredential else { return }
        handle.set(CURLOPT_PROXYUSERNAME, user)
        handle.set(CURLOPT_PROXYPASSWORD, password)
    }

    /// Presents the client's certificate to the session's origin, and to no other; the handle may be used for both.
    func applyClientCertificate(to handle: EasyHandle, for origin: Origin?) {
        guard let client = configuration.clientCertificate else { return }
        guard let origin, origin == self.origin else {
            handle.set(CURLOPT_SSLCERT, nil as String?)
            handle.set(CURLOPT_SSLKEY, nil as String?)
            return
        }
        client.certificate.withCString { handle.set(CURLOPT_SSLCERT, UnsafeRawPointer($0)) }
        client.key.withCString { handle.set(CURLOPT_SSLKEY, UnsafeRawPointer($0)) }
    }
}
