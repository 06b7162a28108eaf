import FileProviderTesting
import FileProviding
import Foundation

@testable import HTTPFiles

/// A provider that says no more than it must: WebDAV's methods, and HEAD for attributes. It lists nothing.
struct PlainProvider: HTTPFileProvider {
    static let type = "Plain"
    let baseURL: URL?
    let session: HTTPSession
    let context = FileProviderContext()
    /// Whether the pages of a directory hold an entry for the directory.
    var listsItself = false
    /// Whether attributes are asked for by GET, whose replies a cache keeps.
    var looksUpByGet = false

    init(_ server: ScriptedResponder, retry: RetryPolicy = .never, cache: HTTPCachePolicy = .none) {
        baseURL = server.url
        session = .to(server, retry: retry) { $0.cachePolicy = cache }
    }

    var identity: ProviderIdentity { ProviderIdentity(type: Self.type) }
    func copy() -> PlainProvider { self }

    func request(
        for operation: FileOperationType, overwrite: Bool, attributes: ItemAttributes
    ) throws -> HTTPRequest {
        var headers: HTTPHeaders = overwrite ? [:] : ["If-None-Match": "*"]
        headers["X-Time"] = attributes.modificationTime.map { "\($0.seconds)" }
        headers["Destination"] = operation.destination
        switch operation {
        case .fetch(let path): return HTTPRequest(.get, url(of: path))
        case .modify(let path): return HTTPRequest(.put, url(of: path), headers: headers)
        case .create(let path): return HTTPRequest(.mkcol, url(of: path), headers: headers)
        case .remove(let path): return HTTPRequest(.delete, url(of: path))
        case .copy(let path, _): return HTTPRequest(.copy, url(of: path), headers: headers)
        case .move(let path, _): return HTTPRequest(.move, url(of: path), headers: headers)
        case .link, .upload, .download: throw FileError.unsupported(operation.source, "not here")
        }
    }

    func attributesRequest(path: ItemPath) -> HTTPRequest {
        HTTPRequest(looksUpByGet ? .get : .head, url(of: path))
    }

    func attributes(of path: ItemPath, response: HTTPResponse, data: Data) -> FileObject {
        writtenItem(path: path, size: response.contentLength, response: response)
    }

    /// `X-Nanoseconds` tells a time that `Last-Modified` cannot.
    func contentsVersion(response: HTTPResponse) -> FileVersion {
        var version = response.reportedVersion
        if let time = response.headers["X-Nanoseconds"].flatMap(Int64.init) {
            version.modificationTime = FileTime(nanoseconds: time)
        }
        return version
    }

    func pageRequest(path: ItemPath, token: String?) -> HTTPRequest {
        var request = HTTPRequest(.get, url(of: path))
        request.headers["X-Page"] = token
        return request
    }

    func pageDecoder(path: ItemPath) -> any HTTPPageDecoder { LinesDecoder(path: path, listsItself: listsItself) }

    /// Some servers report in the body of a 200 that they failed.
    func confirmSuccess(of operation: FileOperationType, response: HTTPResponse, data: Data) throws {
        if data.starts(with: Data("failed".utf8)) {
            throw PlainError(statusCode: response.status, path: operation.source, data: data)
        }
    }

    func serverError(with status: Int, path: String, data: Data?) -> any FileProviderHTTPError {
        PlainError(statusCode: status, path: path, data: data)
    }
}

/// A refusal, with what there was of its body.
struct PlainError: FileProviderHTTPError {
    let statusCode: Int
    let path: String
    let data: Data?
    var serverDescription: String? { nil }
}

/// A page with a name in each line; `X-Next` tells the next page.
private struct LinesDecoder: HTTPPageDecoder {
    let path: ItemPath
    let listsItself: Bool
    private var text = Data()
    private var next: String?

    init(path: ItemPath, listsItself: Bool) { (self.path, self.listsItself) = (path, listsItself) }

    mutating func begin(_ response: HTTPResponse) { next = response.headers["X-Next"] }

    mutating func consume(_ bytes: Data) -> [FileObject] {
        text.append(bytes)
        return []
    }

    mutating func finish() throws -> (entries: [FileObject], nextToken: String?) {
        let names = try text.split(separator: UInt8(ascii: "\n")).map { try ItemName(validating: $0) }
        let own = listsItself ? [FileObject(path: path.asDirectory, type: .directory)] : []
        return (own + names.map { FileObject(path: path.appending($0), type: .regular) }, next)
    }
}
