import Foundation

/// A provider that can be made from a stored configuration or from a URL, as the registry, `fp` and apps do.
///
/// Apart from ``FileProviderBasic``, so that a provider that wraps another need not invent a configuration.
public protocol ConfigurableFileProvider: FileProviderBasic {
    /// Everything that makes a provider but its secret.
    associatedtype Configuration: Codable, Hashable, Sendable

    /// The URL schemes that mean this provider, in lower case.
    static var schemes: [String] { get }

    /// What a URL means: the provider's configuration and the item's path within it.
    ///
    /// - Throws: `URLError(.badURL)` when the URL lacks something or has too much, such as a password.
    static func configuration(for url: URL) throws -> (configuration: Configuration, path: ItemPath)

    /// What this provider was made from.
    var configuration: Configuration { get }

    /// A provider that connects when it is first used.
    ///
    /// - Throws: when the configuration makes no sense; never because a server is away.
    init(configuration: Configuration, credential: Credential?) throws
}
