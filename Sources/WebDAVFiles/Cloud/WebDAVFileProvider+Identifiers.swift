import FileProviding
import Foundation
import HTTPFiles

/// Clouds give each item an identifier that stays the same when the item moves: ``FileObject/fileID``.
extension WebDAVFileProvider {
    /// Returns the current path of the item that a path of the form `id:IDENTIFIER` names; any other path is returned
    /// unchanged.
    ///
    /// - Throws: `.featureUnsupported` if the server is not a cloud, or for another kind of identifier;
    ///   `.fileReadNoSuchFile` if there is no such item below the provider's root.
    public func located(_ path: ItemPath) async throws -> ItemPath {
        guard path.isIdentifier else { return path }
        let text = path.description
        guard text.hasPrefix("id:") else {
            throw FileError.unsupported(path, "an item is named by id: and its identifier")
        }
        let cloud = try await cloud(path, "identifiers of items")
        let id = String(text.dropFirst(3))
        guard let found = try await self.path(of: id, cloud), isItem(try await attributesOfItem(path: found), id) else {
            throw FileError.noSuchFile(path)
        }
        return found
    }

    private func path(of id: String, _ cloud: CloudServer) async throws -> ItemPath? {
        if cloud.dialect.hasSpaces {
            // The server reports paths relative to the item's own space.
            guard let space = cloud.space, id.hasPrefix("\(space)!") else { return nil }
            return try await metaPath(of: id, cloud)
        }
        // `oc:id` is `oc:fileid` with leading zeros, followed by the installation's identifier.
        guard let number = Int64(id.prefix { $0.isASCII && $0.isNumber }) else { return nil }
        switch cloud.dialect.search {
        case .basicSearch: return try await searchedPath(of: number, cloud)
        case .report, .spacesReport: return try await metaPath(of: String(number), cloud)
        }
    }

    /// Returns whether an item has this identifier. The number alone also matches, but another installation's does not.
    private func isItem(_ file: FileObject, _ id: String) -> Bool {
        guard let own = file.fileID else { return false }
        return own == id || Int64(id) != nil && Int64(own.prefix { $0.isASCII && $0.isNumber }) == Int64(id)
    }

    /// Returns an item's path from `oc:meta-path-for-user` of its `meta` resource; `nil` if the item is gone or not
    /// below the provider's root.
    ///
    /// - Throws: ``WebDAVError`` if the server does not report it.
    func metaPath(of id: String, _ cloud: CloudServer) async throws -> ItemPath? {
        let name = XMLName("meta-path-for-user", namespace: XMLName.ownCloud)
        let url = cloud.url("remote.php", "dav", "meta", id)
        let request = metaRequest(url, DAVRequestBody.propfind([], others: [name]))
        let (response, data) = try await session.data(for: request)
        if [404, 410].contains(response.status) { return nil }
        guard response.status == 207 else {
            throw WebDAVError(status: response.status, path: url.path(percentEncoded: false), data: data)
        }
        let parser = MultistatusParser(keeping: [name], url: response.url)
        try parser.consume(data)
        try parser.finish()
        return parser.takeResponses().first?.properties.other[name].flatMap { path(inHome: $0) }
    }

    /// Returns an item's path by a SEARCH for `oc:fileid` in the account's files, since Nextcloud has no `meta`
    /// resource.
    private func searchedPath(of number: Int64, _ cloud: CloudServer) async throws -> ItemPath? {
        let scope = "/files/\(ItemPath.encodedSegment(cloud.user))"
        let body = DAVRequestBody.basicSearch([.fileID], scope: scope, fileID: number)
        let (response, data) = try await session.data(for: question("SEARCH", cloud.url("remote.php", "dav", ""), body))
        guard response.status == 207 else {
            throw WebDAVError(status: response.status, path: response.url.path(percentEncoded: false), data: data)
        }
        return items(try Multistatus.decode(data, from: response), below: .root, cloud).first?.path
    }
}
