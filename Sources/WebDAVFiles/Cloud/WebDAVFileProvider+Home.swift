import FileProviding
import Foundation
import HTTPFiles

/// Clouds identify items by their path in the account's or space's home; the provider's root may lie deeper.
extension WebDAVFileProvider {
    /// Where the provider's root is in its home.
    private var rootInHome: ItemPath { server.address?.path ?? .root }

    /// Returns an item's path in its home, without a leading slash.
    func homePath(of path: ItemPath) -> ItemPath { rootInHome.appending(path) }

    /// Returns an item's URL as the destination of what comes from the trash, from versions or from an upload's parts.
    ///
    /// - Throws: as ``urlOfMember(_:)``.
    func destination(_ path: ItemPath, _ cloud: CloudServer) throws -> URL {
        _ = try urlOfMember(path)
        return cloud.file(homePath(of: path))
    }

    /// Returns the provider's path of an item in its home, or `nil` when it lies outside of the provider's root.
    func path(inHome text: String) -> ItemPath? {
        let bare = text.drop { $0 == "/" }
        return (try? ItemPath(validating: "/" + bare))?.relative(to: rootInHome)
    }

    /// Returns the server's identifiers of an item, for requests that do not use the path.
    ///
    /// - Throws: `.fileReadNoSuchFile`.
    func serverIdentity(of path: ItemPath) async throws -> ServerIdentity {
        try await prepare()
        let (response, data) = try await send(identityRequest(path: path), for: .fetch(path))
        let found = try Multistatus.decode(data, from: response).first
        if let failure = found?.failure(of: path, at: response.url) { throw failure }
        guard let properties = found?.properties, let id = properties.id ?? properties.fileID else {
            throw FileError.unsupported(path, "the server tells no identifier")
        }
        return ServerIdentity(
            id: id, number: properties.fileID ?? id, etag: properties.etag,
            modificationTime: properties.lastModified, isDirectory: properties.isCollection ?? false)
    }
}
