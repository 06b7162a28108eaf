import FileProviding
import Foundation

extension SFTPFileProvider: ConfigurableFileProvider {
    /// Only `sftp`.
    public static let schemes = ["sftp"]

    /// Creates a provider that connects when it is first used, and never asks the user.
    public init(configuration: SFTPConfiguration, credential: Credential?) throws {
        try self.init(configuration: configuration, credential: credential, interaction: nil)
    }

    /// Splits a URL: `sftp://[user@]host[:port]/path` is relative to the server's root, `/~/path` to the home
    /// directory, `/~user/path` to another user's. As for every other program, links may lead anywhere.
    public static func configuration(for url: URL) throws -> (configuration: SFTPConfiguration, path: ItemPath) {
        guard url.password() == nil else {
            throw urlError(url, code: .badURL, reason: "a password does not belong in a URL")
        }
        guard let host = url.host(percentEncoded: false), !host.isEmpty, url.query() == nil, url.fragment() == nil
        else {
            throw urlError(url, code: .badURL, reason: "expected sftp://host/path")
        }
        let bare = host.hasPrefix("[") && host.hasSuffix("]") ? String(host.dropFirst().dropLast()) : host
        var configuration = SFTPConfiguration(
            host: bare, port: url.port, user: url.user(percentEncoded: false), confinesLinks: false)
        var path = try ItemPath(percentEncoded: url.path(percentEncoded: true))
        if let first = path.components.first, first.bytes.first == UInt8(ascii: "~"),
            let home = String(validating: first.bytes.dropFirst(), as: UTF8.self)
        {
            configuration.base = .home(user: home.isEmpty ? nil : home)
            path = path.relative(to: ItemPath.root.appending(first)) ?? .root
        }
        return (configuration, path)
    }
}

extension SFTPConfiguration {
    /// The root as a URL.
    var url: URL {
        var parts = URLComponents()
        parts.scheme = "sftp"
        parts.user = user
        parts.host = host
        parts.port = port
        var path = root.percentEncoded
        if case .home(let user) = base { path = path.isEmpty ? "~\(user ?? "")" : "~\(user ?? "")/\(path)" }
        parts.percentEncodedPath = path.isEmpty ? "/" : "/\(path)/"
        return parts.url ?? URL(string: "sftp://invalid/")!
    }
}
