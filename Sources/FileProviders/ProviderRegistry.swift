import FileProviding
import Foundation
import HTTPFiles
import SFTPFiles

/// The kinds of providers by URL scheme and by stored configuration. It is a value: a program adds its own kinds to its
/// own copy.
///
/// ```swift
/// var registry = ProviderRegistry.standard
/// registry.register(NotesProvider.self)
/// let (provider, path) = try registry.open(URL(string: "notes://host/inbox")!)
/// ```
public struct ProviderRegistry: Sendable {
    /// A kind of provider that the registry can create.
    public typealias Provider = FileProvider & ConfigurableFileProvider

    private var kinds: [any Provider.Type] = []

    /// Creates a registry without providers.
    public init() {}

    /// The kinds in the order of registration.
    public var providers: [any Provider.Type] { kinds }

    /// All registered schemes, sorted.
    public var schemes: [String] { Set(kinds.flatMap { $0.schemes }).sorted() }

    /// Adds a kind; for a scheme or type that is already registered, the new one takes over.
    public mutating func register(_ kind: any Provider.Type) {
        kinds.removeAll { $0.type == kind.type }
        kinds.append(kind)
    }

    /// Returns the kind of a scheme.
    public func kind(scheme: String) -> (any Provider.Type)? {
        kinds.last { $0.schemes.contains(scheme.lowercased()) }
    }

    /// Returns a provider for a URL, and the item's path within it. Nothing is connected yet.
    ///
    /// - Parameters:
    ///   - url: the URL of the item, without a password.
    ///   - credential: the credential of the provider.
    ///   - adjust: changes how a provider over HTTP reaches its server: deadlines, pinned certificates, proxies. Only
    ///     configurations that conform to `HTTPProviderConfiguration` have that.
    ///   - adjustSSH: changes how a provider over SSH does: deadlines, keys, known hosts.
    /// - Throws: `URLError(.unsupportedURL)` for an unknown scheme; what the provider throws for a malformed URL.
    public func open(
        _ url: URL, credential: Credential? = nil,
        adjusting adjust: (inout HTTPSessionConfiguration) -> Void = { _ in },
        ssh adjustSSH: (inout SSHConfiguration) -> Void = { _ in }
    ) throws -> (provider: any FileProvider, path: ItemPath) {
        try make(requireKind(of: url), url, credential, adjust, adjustSSH)
    }

    /// Returns a provider from a stored entry. Nothing is connected yet. Its root is that of its configuration: a path
    /// in the entry's directory is `stored.root.appending(path)`.
    ///
    /// - Throws: `CocoaError(.featureUnsupported)` for a kind that this program does not know, and `DecodingError` for
    ///   an invalid configuration.
    public func open(
        _ stored: StoredProvider, credential: Credential? = nil,
        adjusting adjust: (inout HTTPSessionConfiguration) -> Void = { _ in },
        ssh adjustSSH: (inout SSHConfiguration) -> Void = { _ in }
    ) throws -> any FileProvider {
        guard let kind = kinds.last(where: { $0.type == stored.type }) else {
            throw FileError.unsupported(stored.name, "this program knows no provider of the kind “\(stored.type)”")
        }
        return try make(kind, stored, credential, adjust, adjustSSH)
    }

    /// Returns an entry for a list of providers, made from a URL: the kind's configuration, and the URL's path as
    /// ``StoredProvider/root``.
    public func entry(named name: String, for url: URL) throws -> StoredProvider {
        try entry(requireKind(of: url), name, url)
    }

    private func requireKind(of url: URL) throws -> any Provider.Type {
        guard let kind = kind(scheme: url.scheme ?? "") else {
            throw urlError(url, code: .unsupportedURL, reason: "known schemes: \(schemes.joined(separator: ", "))")
        }
        return kind
    }

    private func make<Kind: Provider>(
        _ kind: Kind.Type, _ url: URL, _ credential: Credential?,
        _ adjust: (inout HTTPSessionConfiguration) -> Void, _ adjustSSH: (inout SSHConfiguration) -> Void
    ) throws -> (any FileProvider, ItemPath) {
        let (configuration, path) = try kind.configuration(for: url)
        return (try Kind(configuration: adjusted(configuration, adjust, adjustSSH), credential: credential), path)
    }

    private func make<Kind: Provider>(
        _ kind: Kind.Type, _ stored: StoredProvider, _ credential: Credential?,
        _ adjust: (inout HTTPSessionConfiguration) -> Void, _ adjustSSH: (inout SSHConfiguration) -> Void
    ) throws -> any FileProvider {
        let configuration = try stored.configuration.decode(Kind.Configuration.self)
        return try Kind(configuration: adjusted(configuration, adjust, adjustSSH), credential: credential)
    }

    private func entry<Kind: Provider>(_ kind: Kind.Type, _ name: String, _ url: URL) throws -> StoredProvider {
        let (configuration, path) = try kind.configuration(for: url)
        return StoredProvider(
            name: name, type: kind.type, root: path, configuration: try JSONValue(encoding: configuration))
    }

    private func adjusted<Configuration>(
        _ configuration: Configuration, _ adjust: (inout HTTPSessionConfiguration) -> Void,
        _ adjustSSH: (inout SSHConfiguration) -> Void
    ) -> Configuration {
        if var http = configuration as? any HTTPProviderConfiguration {
            adjust(&http.http)
            return http as? Configuration ?? configuration
        }
        if var ssh = configuration as? any SSHProviderConfiguration {
            adjustSSH(&ssh.ssh)
            return ssh as? Configuration ?? configuration
        }
        return configuration
    }
}
