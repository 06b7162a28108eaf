import FileProviding
import Foundation
import HTTPFiles

extension WebDAVFileProvider: FavoriteProvider {
    /// Sends a REPORT `oc:filter-files`; OpenCloud does not know that, so its folders are listed one after another.
    ///
    /// - Throws: `.featureUnsupported` for plain WebDAV.
    public func favorites(below path: ItemPath) async throws -> [FileObject] {
        let cloud = try await cloud(path, "favorites")
        guard try await attributesOfItem(path: path).isDirectory else { throw FileError.notADirectory(path) }
        if cloud.dialect.hasSpaces {
            var found: [FileObject] = []
            for try await page in defaultSearch(path: path, recursive: true, query: FileQuery.all) {
                found += page.filter { $0[.isFavorite] == true }
            }
            return found
        }
        let (response, data) = try await send(
            reportRequest(cloud, DAVRequestBody.filterFavorites(PropertySet.listing(true))), for: .fetch(path))
        return items(try Multistatus.decode(data, from: response), below: path, cloud).map { item in
            var item = item
            item[.isFavorite] = true
            return item
        }
    }

    /// Sends a PROPPATCH of `oc:favorite`.
    ///
    /// - Throws: `.featureUnsupported` for plain WebDAV.
    public func setFavorite(_ isFavorite: Bool, path: ItemPath) async throws {
        _ = try await cloud(path, "favorites")
        try await set(DAVPropertyName.favorite.name, to: isFavorite ? "1" : "0", of: path)
    }
}
