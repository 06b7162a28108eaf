import FileProviding
import Foundation

/// The URLs of a gallery's lists and images.
struct GalleryAddress: Sendable {
    /// `{base}/file/`.
    let files: URL
    /// `{base}/api/image/`.
    let lists: URL

    init(_ base: URL) throws {
        guard ["http", "https"].contains(base.scheme?.lowercased()), base.host() != nil else {
            throw urlError(base, code: .unsupportedURL, reason: "a gallery needs http or https and a host")
        }
        guard base.user() == nil, base.password() == nil, base.query() == nil, base.fragment() == nil else {
            throw urlError(base, code: .badURL, reason: "user, password and query do not belong in a gallery's URL")
        }
        files = base.appending(path: "file/", directoryHint: .isDirectory)
        lists = base.appending(path: "api/image/", directoryHint: .isDirectory)
    }

    /// Returns an image's URL. The path is percent-encoded here, once, whatever form the server listed it in.
    func file(_ path: ItemPath) throws -> URL { try url(files, path) }

    /// Returns the URL of a category's list; the root's ends in a slash.
    func list(_ category: ItemPath) throws -> URL { try url(lists, category) }

    private func url(_ base: URL, _ path: ItemPath) throws -> URL {
        guard !path.isIdentifier else { throw FileError.unsupported(path, "a gallery knows no identifiers") }
        guard let url = URL(string: base.absoluteString + path.percentEncoded) else {
            throw urlError(base, code: .badURL)
        }
        return url
    }
}
