import Foundation

/// A provider that can be created from a stored configuration or from a URL, as the registry, `fp` and apps do.
///
/// Separate from ``FileProviderBasic``, so that a provider that wraps another need not invent a configuration.
public protocol ConfigurableFileProvider: FileProviderBasic {
    /// Everything needed to create a provider except its secret.
    associatedtype Configuration: Codable, Hashable, Sendable

    /// The URL schemes that select this provider, in lower case.
    static var schemes: [String] { get }

    /// Splits a URL into the provider's configuration and the item's path within the provider.
    ///
    /// - Throws: `URLError(.badURL)` when the URL lacks something or contains something that is not allowed, such as a
    ///   password; `CocoaError(.fileReadInvalidFileName)` for a path that is none, such as `/../x`.
    static func configuration(for url: URL) throws -> (configuration: Configuration, path: ItemPath)

    /// The configuration that this provider was created from.
    var configuration: Configuration { get }

    /// Creates a provider that connects when it is first used.
    ///
    /// - Throws: when the configuration is invalid; never because a server is unreachable.
    init(configuration: Configuration, credential: Credential?) throws
}
