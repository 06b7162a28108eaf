import FileProviding
import Foundation

extension LocalFileProvider: ConfigurableFileProvider {
    /// The directory and the trash of a provider.
    public struct Configuration: Codable, Hashable, Sendable {
        /// The directory to serve.
        public var root: LocalPath
        /// The folder of the home trash, or `nil` for the one in the user's home directory.
        public var trash: LocalPath?

        /// Creates a configuration for the files below `root`.
        public init(root: LocalPath, trash: LocalPath? = nil) {
            self.root = root
            self.trash = trash
        }
    }

    /// Only `file:`; plain paths need no scheme.
    public static let schemes = ["file"]

    /// Splits a `file:` URL. Its path is relative to `/`, so links may lead anywhere, as for every other program.
    public static func configuration(for url: URL) throws -> (configuration: Configuration, path: ItemPath) {
        (Configuration(root: LocalPath("/")), try itemPath(of: url))
    }

    /// The configuration, with the root's path resolved, without links, when it was opened.
    public var configuration: Configuration { Configuration(root: root.path, trash: trash.configured) }

    /// Opens the root at once. Throws as the initializer with a path does; no credential is needed.
    public convenience init(configuration: Configuration, credential: Credential? = nil) throws {
        try self.init(opening: configuration, information: .standard)
    }

    convenience init(opening configuration: Configuration, information: LocalFileInformationGenerator) throws {
        do {
            self.init(
                root: try LocalRoot(configuration.root), trash: LocalTrash(configured: configuration.trash),
                information: information)
        } catch {
            throw posixError(configuration.root, error.code, writing: false)
        }
    }

    static func localPath(of url: URL) throws -> LocalPath {
        LocalPath(bytes: [UInt8(ascii: "/")] + (try itemPath(of: url)).bytes)
    }

    private static func itemPath(of url: URL) throws -> ItemPath {
        let host = url.host() ?? ""
        let path = url.path(percentEncoded: true)
        guard url.isFileURL, host.isEmpty || host == "localhost", path.hasPrefix("/"), url.query() == nil,
            url.fragment() == nil
        else {
            throw urlError(url, code: .badURL, reason: "a file URL has the form file:///path")
        }
        return try ItemPath(percentEncoded: path)
    }
}
