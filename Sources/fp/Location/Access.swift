import FileProviders
import Foundation

/// Opens locations, and asks the user for what a server requires: a password, trust in a certificate.
///
/// Locations on one server share a provider and thus its connections. Nobody is asked before it is necessary.
final class Access {
    /// The role of a location in a command that has two ends.
    enum Role {
        /// The source, or the only location.
        case source
        /// The destination.
        case destination
    }

    /// The kinds of providers.
    let registry = ProviderRegistry.standard
    /// The saved remotes and their secrets.
    let remotes: RemoteList
    /// Secrets for the destination only.
    var destinationSecrets: DestinationSecretOptions?
    /// The user's terminal, if there is one.
    private(set) lazy var terminal = Terminal()
    var origins: [Origin.Key: Origin] = [:]
    let options: AccessOptions
    let environment: Environment
    private let folder: String?
    /// The first server, which the secrets of options and environment are for.
    private var first: Origin.Key?
    /// Whether they are for a location that was given before all servers, and that is not known: for none of them.
    private var isFirstUnknown = false
    private lazy var parser = LocationParser(
        schemes: registry.schemes, remotes: { [remotes] in try remotes.entries().map(\.name) },
        workingDirectory: { [folder] in try folder.map(ArgumentText.decode) ?? Environment.workingDirectory() })

    /// - Parameter folder: what relative paths are relative to, as encoded by ``ArgumentText``; the working directory
    ///   by default.
    init(environment: Environment, options: AccessOptions, folder: String? = nil) {
        self.environment = environment
        self.options = options
        self.folder = folder
        remotes = RemoteList(folder: environment.configuration)
    }

    /// Parses a location without opening it.
    func parse(_ argument: LocationArgument) throws -> Location { try parser.parse(argument) }

    /// Opens a location. Nothing is connected yet.
    func open(_ argument: LocationArgument, as role: Role = .source) throws -> Endpoint {
        do { return try opened(argument, as: role) } catch {
            isFirstUnknown = isFirstUnknown || first == nil
            throw error
        }
    }

    /// Opens sources; of several, one that cannot be opened is a failure of its own.
    ///
    /// - Throws: the error of an only source, and what the user can be asked about.
    func open(
        each sources: some Collection<LocationArgument>
    ) throws -> [(location: LocationArgument, source: Result<Endpoint, any Error>)] {
        try sources.map { location in
            do { return (location, .success(try open(location))) } catch let error
                where sources.count > 1 && (error is Refusal || error is CocoaError)
            { return (location, .failure(error)) }
        }
    }

    private func opened(_ argument: LocationArgument, as role: Role) throws -> Endpoint {
        let location = try parse(argument)
        switch location.place {
        case .local(let path):
            let local = try LocalFileProvider(root: LocalPath("/"), trash: environment.trash)
            return Endpoint(location: location, provider: local, path: path)
        case .url(let url):
            let (bare, path): (any FileProvider, ItemPath)
            do { (bare, path) = try registry.open(url) } catch let error as CocoaError {
                throw Refusal(location.description, ErrorText.reason(of: error) ?? "not a valid path")
            }
            let provider = try shared(bare, location, role) { [registry] credential, http, ssh in
                try registry.open(url, credential: credential, adjusting: http, ssh: ssh).provider
            }
            return Endpoint(location: location, provider: provider, path: path)
        case .remote(let name, let path):
            let entry = try remotes.existing(name)
            let provider = try shared(registry.open(entry), location, role, entry) { [registry] credential, http, ssh in
                try registry.open(entry, credential: credential, adjusting: http, ssh: ssh)
            }
            let whole = path.isIdentifier ? path : entry.root.appending(path)
            return Endpoint(location: location, provider: provider, path: whole)
        }
    }

    /// Returns the provider that locations on the same server share: opened with its secret the first time.
    private func shared(
        _ bare: any FileProvider, _ location: Location, _ role: Role, _ entry: StoredProvider? = nil,
        opening: @escaping Origin.Opening
    ) throws -> any FileProvider {
        let key = Origin.Key(remote: entry?.name, identity: bare.identity)
        if let known = origins[key] { return known.provider }
        let route = try bare.baseURL.flatMap { try ProxyVariables(environment).route(to: $0) }
        var origin = Origin(
            bare, place: location.description, entry: entry, options: options, route: route, opening: opening)
        if origin.isRemote {
            let isFirst = isFirst(key)
            // Even if it cannot be opened.
            if isFirst { first = key }
            try origin.use(secret(for: origin, role, isFirst: isFirst))
        }
        origins[key] = origin
        return origin.provider
    }

    /// Returns whether secrets of options and environment are for this server.
    func isFirst(_ key: Origin.Key) -> Bool { first == key || first == nil && !isFirstUnknown }

    /// Reserves the secrets of options and environment for a location's server, which is not opened.
    func reserveSecrets(for argument: LocationArgument) {
        guard first == nil else { return }
        do {
            let (provider, remote): (any FileProvider, String?)
            switch try parse(argument).place {
            case .local: return
            case .url(let url): (provider, remote) = (try registry.open(url).provider, nil)
            case .remote(let name, _): (provider, remote) = (try registry.open(remotes.existing(name)), name)
            }
            guard provider is any FileProviderBasicRemote, !isFirstUnknown else { return }
            first = Origin.Key(remote: remote, identity: provider.identity)
        } catch { isFirstUnknown = true }
    }

    /// Returns the secret to begin with: the saved one, one from the sources, or the user's answer when the location
    /// names a user. Without a user, the server is tried without a secret first.
    private func secret(for origin: Origin, _ role: Role, isFirst: Bool) throws -> Credential? {
        // Where none may be needed, a list of secrets that cannot be read matters only if the server asks for one.
        let isNeeded = origin.user != nil && !origin.hasKeys
        if let saved = isNeeded ? try savedSecret(for: origin) : try? savedSecret(for: origin) { return saved }
        if let given = try givenSecret(for: origin, role, isFirst: isFirst) { return given }
        let netrc = try NetrcFile(reading: environment.netrc)
        if let login = netrc.login(host: origin.host, user: origin.user) {
            return .password(user: login.user, password: login.password)
        }
        return origin.user == nil || origin.hasKeys ? nil : try askSecret(of: origin, isFirst: isFirst)
    }

    /// Returns the secret that is stored for a saved remote.
    func savedSecret(for origin: Origin) throws -> Credential? {
        do {
            return try origin.entry.flatMap { try remotes.secrets.credential(for: $0.id) }
        } catch {
            throw Refusal(
                origin.place, "its saved secret cannot be read: \(error.localizedDescription)",
                remedy: "without that file, `fp remote add --replace` saves it again")
        }
    }

    /// Returns the secret from options or environment. A variable without a corresponding user is for another server.
    func givenSecret(for origin: Origin, _ role: Role = .source, isFirst: Bool = true) throws -> Credential? {
        let sources = sources(role, isFirst: isFirst)
        switch try sources.find() {
        case .password(let password):
            let known =
                try origin.user ?? NetrcFile(reading: environment.netrc).login(host: origin.host, user: nil)?.user
            if known == nil, sources.passwordFile == nil { return nil }
            guard let user = try known ?? askUser(of: origin), !user.isEmpty else {
                throw Refusal(
                    origin.place, "there is a password, but no user for it",
                    remedy: Remedy.user(of: origin))
            }
            return .password(user: user, password: password)
        case .token(let token): return .bearer(token: token)
        case nil: return nil
        }
    }

    /// Returns the sources of secrets. Options and environment are for the first server only: no secret is sent to a
    /// second one by accident.
    private func sources(_ role: Role, isFirst: Bool) -> SecretSources {
        if role == .destination, let own = destinationSecrets, own.passwordFile != nil || own.tokenFile != nil {
            return SecretSources(
                passwordFile: own.passwordFile?.path, tokenFile: own.tokenFile?.path, usesEnvironment: false,
                environment: environment)
        }
        return SecretSources(
            passwordFile: isFirst ? options.passwordFile?.path : nil,
            tokenFile: isFirst ? options.tokenFile?.path : nil,
            usesEnvironment: isFirst, environment: environment)
    }
}
