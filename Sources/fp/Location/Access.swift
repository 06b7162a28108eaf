import FileProviders
import Foundation

/// Opens locations, and asks the person for what a server wants: a password, trust in a certificate.
///
/// Locations on one server share a provider and so its connections. Nobody is asked before it is needed.
final class Access {
    /// What a location is to a command that has two ends.
    enum Role {
        /// Where things come from, or the only location.
        case source
        /// Where things go.
        case destination
    }

    /// The kinds of providers.
    let registry = ProviderRegistry.standard
    /// The saved remotes and their secrets.
    let remotes: RemoteList
    /// Secrets for the destination alone.
    var destinationSecrets: DestinationSecretOptions?
    /// The person, where there is a terminal.
    private(set) lazy var terminal = Terminal()
    var origins: [Origin.Key: Origin] = [:]
    let options: AccessOptions
    private let environment: Environment
    private lazy var parser = LocationParser(
        schemes: registry.schemes, remotes: { [remotes] in try remotes.entries().map(\.name) },
        workingDirectory: Environment.workingDirectory)

    init(environment: Environment, options: AccessOptions) {
        self.environment = environment
        self.options = options
        remotes = RemoteList(folder: environment.configuration)
    }

    /// Understands a location without opening it.
    func parse(_ argument: LocationArgument) throws -> Location { try parser.parse(argument) }

    /// Opens a location. Nothing is connected yet.
    func open(_ argument: LocationArgument, as role: Role = .source) throws -> Endpoint {
        let location = try parse(argument)
        switch location.place {
        case .local(let path):
            return try endpoint(location, role, at: path) { [environment] _, _ in
                try LocalFileProvider(root: LocalPath("/"), trash: environment.trash)
            }
        case .url(let url):
            return try endpoint(location, role, at: registry.open(url).path) { [registry] credential, adjust in
                try registry.open(url, credential: credential, adjusting: adjust).provider
            }
        case .remote(let name, let path):
            guard let entry = try remotes.entry(named: name) else {
                throw Refusal(location.description, "no such remote")
            }
            let whole = path.isIdentifier ? path : entry.root.appending(path)
            return try endpoint(location, role, at: whole, entry: entry) { [registry] credential, adjust in
                try registry.open(entry, credential: credential, adjusting: adjust)
            }
        }
    }

    private func endpoint(
        _ location: Location, _ role: Role, at path: ItemPath, entry: StoredProvider? = nil,
        opening: @escaping Origin.Opening
    ) throws -> Endpoint {
        let bare = try opening(nil) { _ in }
        let key = Origin.Key(remote: entry?.name, identity: bare.identity)
        if origins[key] == nil {
            var origin = Origin(bare, place: location.description, entry: entry, options: options, opening: opening)
            if origin.isRemote { try origin.use(secret(for: origin, role)) }
            origins[key] = origin
        }
        return Endpoint(location: location, provider: origins[key]?.provider ?? bare, path: path)
    }

    /// The secret to begin with: the saved one, one from the sources, or what the person says when the location names a
    /// user. Without a user, the server is tried without a secret first.
    private func secret(for origin: Origin, _ role: Role) throws -> Credential? {
        if let entry = origin.entry, let saved = try remotes.secrets.credential(for: entry.id) { return saved }
        if let given = try givenSecret(for: origin, role) { return given }
        let netrc = try NetrcFile(reading: environment.netrc)
        if let login = netrc.login(host: origin.host, user: origin.user) {
            return .password(user: login.user, password: login.password)
        }
        return origin.user == nil ? nil : try askSecret(of: origin)
    }

    /// The secret that options or environment give.
    func givenSecret(for origin: Origin, _ role: Role = .source) throws -> Credential? {
        switch try sources(role).find() {
        case .password(let password):
            let known =
                try origin.user ?? NetrcFile(reading: environment.netrc).login(host: origin.host, user: nil)?.user
            guard let user = try known ?? askUser(of: origin), !user.isEmpty else {
                throw Refusal(
                    origin.place, "there is a password, but no user for it",
                    remedy: "write the user into the URL: davs://USER@host/")
            }
            return .password(user: user, password: password)
        case .token(let token): return .bearer(token: token)
        case nil: return nil
        }
    }

    /// Options and environment are meant for the first server only: no secret goes to a second one by accident.
    private func sources(_ role: Role) -> SecretSources {
        let isFirst = !origins.values.contains(where: \.isRemote)
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
