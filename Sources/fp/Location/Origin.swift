import FileProviders
import Foundation

/// A server or store that locations are on: the provider that they share, and how it was opened.
struct Origin {
    /// The properties that make two locations share a provider.
    struct Key: Hashable {
        /// The saved remote, which has a secret of its own.
        var remote: String?
        /// The storage and the user.
        var identity: ProviderIdentity
    }

    /// Opens the provider again.
    typealias Opening = (
        Credential?, (inout HTTPSessionConfiguration) -> Void, (inout SSHConfiguration) -> Void
    ) throws -> any FileProvider

    /// The provider, opened with all of the properties below.
    private(set) var provider: any FileProvider
    /// The location that was opened first, for questions and messages.
    let place: String
    /// The entry of a saved remote.
    let entry: StoredProvider?
    /// The server's name, in lower case.
    let host: String
    /// The user that the location names.
    let user: String?
    /// How often the user was asked for the secret.
    var questions = 0
    /// The secret in use.
    private(set) var credential: Credential?
    /// The certificates that are trusted in addition to the verified ones.
    private var pins: Set<String>
    private let opening: Opening
    private let options: AccessOptions
    private let route: ProxyVariables.Route?

    /// Creates an origin from a provider that was opened without any secret or trust.
    ///
    /// - Parameter route: how its server is reached, unless its entry says that.
    init(
        _ bare: any FileProvider, place: String, entry: StoredProvider?, options: AccessOptions,
        route: ProxyVariables.Route?, opening: @escaping Opening
    ) {
        provider = bare
        self.place = place
        self.entry = entry
        self.options = options
        self.route = route
        self.opening = opening
        host = bare.baseURL?.host()?.lowercased() ?? ""
        user = bare.namedUser
        pins = Set(options.pins.map(\.fingerprint))
    }

    /// Whether it is on a server, which may require a secret.
    var isRemote: Bool { provider is any FileProviderBasicRemote }

    /// Returns whether a transport error is about this server.
    func isMeant(by url: URL) -> Bool {
        guard isRemote, let base = provider.baseURL else { return false }
        return url.host()?.lowercased() == host && url.port == base.port && url.scheme == base.scheme
    }

    /// Opens the provider again with this secret.
    mutating func use(_ credential: Credential?) throws {
        self.credential = credential
        provider = try opening(credential, { adjust(&$0) }, { adjust(&$0) })
        provider.sshSession?.interaction = TerminalInteraction()
    }

    /// Whether a server may accept the user without a secret: by a key or an agent.
    var hasKeys: Bool { provider.sshSession != nil }

    /// Opens the provider again, trusting this certificate.
    mutating func trust(_ fingerprint: String) throws {
        pins.insert(fingerprint)
        try use(credential)
    }

    private func adjust(_ http: inout HTTPSessionConfiguration) {
        http.userAgent = "fp/\(FP.configuration.version)"
        if let timeout = options.timeout {
            http.retry.within *= timeout / http.deadlines.idle
            http.deadlines = http.deadlines.scaled(by: timeout / http.deadlines.idle)
        }
        if let authorities = options.certificateAuthorities { http.certificateAuthorities = authorities.path }
        if let route, http.proxy == nil { (http.proxy, http.proxyExceptions) = (route.proxy, route.exceptions) }
        if !pins.isEmpty { http.pinnedCertificates[host, default: []].formUnion(pins) }
    }

    private func adjust(_ ssh: inout SSHConfiguration) {
        if let transport = options.transport { ssh.transport = transport }
        if let timeout = options.timeout {
            ssh.connectTimeout *= timeout / ssh.answerTimeout
            ssh.answerTimeout = timeout
        }
        if !options.identities.isEmpty { ssh.keys = options.identities.map(\.path) }
        if let knownHosts = options.knownHosts { ssh.knownHosts = [knownHosts.path] }
    }
}

extension FileProviderBasic {
    /// The user that the location or configuration names. For SSH, `identity.account` is set even if no user is named.
    var namedUser: String? { sshSession == nil ? identity.account : baseURL?.user(percentEncoded: false) }

    /// The SSH session of a provider that uses one, whatever provider that is.
    var sshSession: SFTPSession? { (self as? any FileProviderBasicRemote)?.session as? SFTPSession }
}
