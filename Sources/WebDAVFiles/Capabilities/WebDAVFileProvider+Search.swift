import FileProviding
import Foundation
import HTTPFiles

extension WebDAVFileProvider: IndexedSearchProvider {
    /// The most results to request: if there are more, the tree is walked instead.
    private static let searchLimit = 1_000

    /// Searches by name on a cloud if the query contains part of a name, and evaluates the whole query on what is
    /// found; otherwise lists and evaluates. A cloud answers from its index, which may lag some seconds.
    public func search(path: ItemPath, recursive: Bool, query: FileQuery) -> DirectoryListing {
        guard recursive, server.mayBeCloud, query.isIndexed else {
            return defaultSearch(path: path, recursive: recursive, query: query)
        }
        return DirectoryListing {
            let walk = Locked<DirectoryListing.AsyncIterator?>(nil)
            let isDone = Locked(false)
            return {
                if !isDone.withLock({ $0 }) {
                    if let found = try await indexedItems(below: path, query: query) {
                        isDone.withLock { $0 = true }
                        return found
                    }
                    isDone.withLock { $0 = true }
                    let listing = defaultSearch(path: path, recursive: true, query: query)
                    walk.withLock { $0 = listing.makeAsyncIterator() }
                }
                guard var pages = walk.withLock({ $0 }) else { return nil }
                return try await pages.next()
            }
        }
    }

    /// Searches by name on a cloud if the query contains part of a name, and evaluates the whole query on what is
    /// found.
    public func indexedItems(below path: ItemPath, query: FileQuery) async throws -> [FileObject]? {
        guard server.mayBeCloud, query.isIndexed, let fragment = query.nameFragment,
            let found = try await found(path, fragment)
        else { return nil }
        let matcher = query.matcher()
        return found.filter { matcher.matches($0) }
    }

    /// Returns what the server finds below `path`, or `nil` when it cannot be asked or finds too much.
    private func found(_ path: ItemPath, _ fragment: String) async throws -> [FileObject]? {
        guard let cloud = try await cloud() else { return nil }
        guard try await attributesOfItem(path: path).isDirectory else { throw FileError.notADirectory(path) }
        let (response, data) = try await session.data(for: searchRequest(path, fragment, cloud))
        guard response.status == 207 else { return nil }
        let responses = try Multistatus.decode(data, from: response)
        guard responses.count < Self.searchLimit else { return nil }
        return items(responses, below: path, cloud)
    }

    /// Returns the items in the responses of a report, as far as they are below `path`; their URLs differ from those of
    /// a listing.
    func items(_ responses: [MultistatusResponse], below path: ItemPath, _ cloud: CloudServer) -> [FileObject] {
        responses.compactMap { response in
            let reference = String(decoding: response.href, as: UTF8.self)
            guard let url = URL(string: reference, relativeTo: cloud.installation),
                let address = CloudAddress(url.absoluteURL), cloud.isHome(address.home),
                let item = self.path(inHome: address.path.description), item != path, item.isInside(path),
                let name = item.lastComponent, !TemporaryName.isOurs(name)
            else { return nil }
            return FileObject(path: item, response: response)
        }
    }

    private func searchRequest(_ path: ItemPath, _ fragment: String, _ cloud: CloudServer) -> HTTPRequest {
        let properties = PropertySet.listing(true)
        let limit = Self.searchLimit
        switch cloud.dialect.search {
        case .basicSearch:
            let scope = "/files/\(ItemPath.encodedSegment(cloud.user))/\(homePath(of: path).percentEncoded)"
            return question(
                "SEARCH", cloud.url("remote.php", "dav", ""),
                DAVRequestBody.basicSearch(properties, scope: scope, nameContains: fragment, limit: limit))
        case .report:
            return reportRequest(cloud, DAVRequestBody.searchFiles(properties, pattern: fragment, limit: limit))
        case .spacesReport:
            return reportRequest(
                cloud, DAVRequestBody.searchFiles(properties, pattern: "name:\"*\(fragment)*\"", limit: limit))
        }
    }

    /// Returns a REPORT request about all of the account's files (RFC 3253, section 3.6).
    func reportRequest(_ cloud: CloudServer, _ body: Data) -> HTTPRequest {
        question("REPORT", cloud.space.map { cloud.url("dav", "spaces", $0) } ?? cloud.home, body)
    }

    func question(_ method: HTTPMethod, _ url: URL, _ body: Data) -> HTTPRequest {
        var request = HTTPRequest(method, url, body: .bytes(body))
        request.headers["Content-Type"] = "text/xml; charset=utf-8"
        request.isSafeToRepeat = true
        return request
    }
}
