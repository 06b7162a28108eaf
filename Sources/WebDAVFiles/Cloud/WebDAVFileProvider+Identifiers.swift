import FileProviding
import Foundation
import HTTPFiles

/// Clouds know each item by an identifier that stays when it is moved: what ``FileObject/fileID`` tells.
extension WebDAVFileProvider {
    /// The present path of an item that `id:` and its identifier name.
    ///
    /// - Throws: `.featureUnsupported` for a server that is no cloud, and for another kind of identifier;
    ///   `.fileReadNoSuchFile` when there is no such item below the provider's root.
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
            // Paths are told within the item's own space.
            guard let space = cloud.space, id.hasPrefix("\(space)!") else { return nil }
            return try await metaPath(of: id, cloud)
        }
        // `oc:id` is `oc:fileid` with leading zeros, and the installation's name behind it.
        guard let number = Int64(id.prefix { $0.isASCII && $0.isNumber }) else { return nil }
        switch cloud.dialect.search {
        case .basicSearch: return try await searchedPath(of: number, cloud)
        case .report, .spacesReport: return try await metaPath(of: String(number), cloud)
        }
    }

    /// Whether an item has this identifier: the number alone names it too, but not another installation's.
    private func isItem(_ file: FileObject, _ id: String) -> Bool {
        guard let own = file.fileID else { return false }
        return own == id || Int64(id) != nil && Int64(own.prefix { $0.isASCII && $0.isNumber }) == Int64(id)
    }

    /// `oc:meta-path-for-user` of an item's `meta` resource. `nil` when it is gone or outside.
    ///
    /// - Throws: ``WebDAVError`` where the server does not say.
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

    /// What a SEARCH for `oc:fileid` finds in the account's files, as Nextcloud has no `meta`.
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
