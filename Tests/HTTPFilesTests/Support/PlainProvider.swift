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
    /// Whether the server is known to heed `If-Match`.
    var heedsIfMatch = true
    var needsLength = false

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

    func honorsIfMatch(for operation: FileOperationType) -> Bool { heedsIfMatch }

    /// `X-Directory` tells that the item is one.
    func attributes(of path: ItemPath, response: HTTPResponse, data: Data) throws -> FileObject {
        guard response.headers["X-Directory"] == nil else { return FileObject(path: path, type: .directory) }
        return try writtenItem(path: path, size: response.contentLength, response: response, data: data)
    }

    /// A body in quotation marks is the tag, one that begins with a brace is JSON.
    func writtenItem(path: ItemPath, size: Int64?, response: HTTPResponse, data: Data) throws -> FileObject {
        var file = FileObject(path: path, type: .regular)
        file.size = size
        file.etag = response.etag
        if data.first == UInt8(ascii: "\"") { file.etag = ETag(rawValue: String(decoding: data, as: UTF8.self)) }
        if data.first == UInt8(ascii: "{") {
            file.etag = try JSONDecoder().decode([String: ETag].self, from: data)["tag"]
        }
        return file
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
        if response.headers["Content-Type"] == "text/html" { _ = try JSONDecoder().decode([String].self, from: data) }
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
    private var isPage = false

    init(path: ItemPath, listsItself: Bool) { (self.path, self.listsItself) = (path, listsItself) }

    mutating func begin(_ response: HTTPResponse) {
        next = response.headers["X-Next"]
        isPage = response.headers["Content-Type"] == "text/html"
    }

    mutating func consume(_ bytes: Data) throws -> [FileObject] {
        text.append(bytes)
        guard !isPage, let end = text.lastIndex(of: UInt8(ascii: "\n")) else { return [] }
        defer { text.removeSubrange(...end) }
        return try entries(text[..<end])
    }

    mutating func finish() throws -> (entries: [FileObject], nextToken: String?) {
        if isPage { _ = try JSONDecoder().decode([String].self, from: text) }
        let own = listsItself ? [FileObject(path: path.asDirectory, type: .directory)] : []
        return (try own + entries(text), next)
    }

    private func entries(_ lines: Data) throws -> [FileObject] {
        let names = try lines.split(separator: UInt8(ascii: "\n")).map { try ItemName(validating: $0) }
        return names.map { FileObject(path: path.appending($0), type: .regular) }
    }
}
