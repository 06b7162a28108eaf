import FileProviding
import FlyingFox
import Foundation

import enum HTTPFiles.HTTPDate

/// An item as the API describes it.
struct ShelfItem: Encodable {
    let name: ItemName
    let type: FileObjectType
    let size: Int64?
    let modified: Int64?
    let etag: String

    init(_ file: FileObject) throws {
        name = try file.path.isRoot ? ItemName(validating: "shelf") : file.itemName
        type = file.type
        size = file.size
        modified = file.modificationTime?.seconds
        etag = file.version.tag
    }
}

/// Some of a folder's items, and where to continue.
struct ShelfPage: Encodable {
    let items: [ShelfItem]
    let next: String?
}

extension FileVersion {
    /// The provider's own tag, or one made of size and time.
    var tag: String { etag?.rawValue ?? "\"\(size ?? 0)-\(modificationTime?.nanoseconds ?? 0)\"" }
}

extension HTTPResponse {
    /// Returns a response with a value as JSON.
    static func json(
        _ value: some Encodable, status: HTTPStatusCode = .ok, closes: Bool = false
    ) throws -> HTTPResponse {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        var headers: HTTPHeaders = [.contentType: "application/json"]
        if closes { headers[.connection] = "close" }
        let body = HTTPBodySequence(ByteStream(try encoder.encode(value)), closes: closes)
        return HTTPResponse(statusCode: status, headers: headers, body: body)
    }
}

extension HTTPHeaders {
    /// Creates the fields that distinguish one version from another: `ETag` and `Last-Modified`.
    init(version: FileVersion) {
        self.init([.eTag: version.tag])
        self[.lastModified] = version.modificationTime.map { HTTPDate.format($0) }
    }
}

extension HTTPHeader {
    static let expect = HTTPHeader("Expect")
    static let ifMatch = HTTPHeader("If-Match")
    static let shelfLength = HTTPHeader("Shelf-Length")
    static let shelfOffset = HTTPHeader("Shelf-Offset")
    static let shelfModified = HTTPHeader("Shelf-Modified")
}
