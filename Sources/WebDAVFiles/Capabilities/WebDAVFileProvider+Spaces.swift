import FileProviding
import Foundation
import HTTPFiles

extension WebDAVFileProvider: SpaceProvider {
    /// Returns the drives that Graph lists, with URLs at this server, whatever name the server has for itself.
    ///
    /// - Throws: `.featureUnsupported` for a server without spaces.
    public func spaces() async throws -> [StorageSpace] {
        let cloud = try await cloud(.root, "spaces")
        guard cloud.dialect.hasSpaces else { throw FileError.unsupported(ItemPath.root, "this server has no spaces") }
        return try await drives(cloud.installation)
    }

    /// Returns a provider of one space, over the same session.
    public func provider(for space: StorageSpace) throws -> WebDAVFileProvider {
        guard let url = space.url else { throw FileError.unsupported(space.name, "the space has no address") }
        return WebDAVFileProvider(self, at: url)
    }

    /// Requests `graph/v1.0/me/drives`. Of a drive's address only the path is used, since behind a proxy the server may
    /// call itself something else, and no credential is sent to another origin.
    func drives(_ installation: URL) async throws -> [StorageSpace] {
        guard let url = URL(string: installation.absoluteString + "graph/v1.0/me/drives") else { return [] }
        let (_, data) = try await send(HTTPRequest(.get, url), for: .fetch(.root))
        guard let list = try? JSONDecoder().decode(GraphDrives.self, from: data) else {
            throw urlError(url, code: .cannotParseResponse, reason: "not a list of drives")
        }
        return list.value.map { drive in
            let path = drive.root?.webDavUrl.flatMap { URL(string: $0) }?.path(percentEncoded: true)
            let url = path.flatMap { URL(string: $0 + ($0.hasSuffix("/") ? "" : "/"), relativeTo: installation) }
            return StorageSpace(
                id: drive.id, name: drive.name ?? drive.id, kind: drive.driveType ?? "", url: url?.absoluteURL)
        }
    }
}

/// Microsoft Graph's list of drives, as far as it is used.
struct GraphDrives: Decodable {
    struct Drive: Decodable {
        struct Root: Decodable { let webDavUrl: String? }

        let id: String
        let name: String?
        let driveType: String?
        let root: Root?
    }

    let value: [Drive]
}
