import FileProviding
import FlyingFox
import Foundation

/// Answers requests one after another: the Shelf API in terms of a provider.
struct ShelfDesk: HTTPHandler {
    let files: any FileProvider
    let pageSize: Int
    let uploads = ShelfUploads()

    func handleRequest(_ request: HTTPRequest) async throws -> HTTPResponse {
        let body = RequestBody(request)
        do {
            let response = try await answer(request, body)
            try await body.drain()
            return response
        } catch {
            return await ShelfRefusal(error, isListing: request.query.first?.name == "page").response(to: body)
        }
    }

    private func answer(_ request: HTTPRequest, _ body: RequestBody) async throws -> HTTPResponse {
        let path = try ItemPath(percentEncoded: request.target.path())
        let query = request.query.first
        switch (request.method, query?.name) {
        case (.GET, nil): return try await read(path, request)
        case (.GET, "item"): return try .json(ShelfItem(await files.attributesOfItem(path: path)))
        case (.GET, "page"): return try .json(await page(of: path, after: query?.value ?? ""))
        case (.PUT, nil): return try await write(path, request, body)
        case (.POST, "folder"): try await files.createDirectory(path: path)
        case (.POST, "copy"):
            try await files.copyItem(path: path, to: target(query), overwrite: request.mayReplace)
        case (.POST, "move"):
            try await files.moveItem(path: path, to: target(query), overwrite: request.mayReplace)
        case (.POST, "upload"):
            let length = request.headers[.shelfLength].flatMap { Int64($0) }
            return try .json(await uploads.begin(path, length: length, in: files), status: .created)
        case (.GET, "upload"): return try .json(await uploads.received(query))
        case (.PATCH, "upload"):
            let offset = request.headers[.shelfOffset].flatMap { Int64($0) }
            try await uploads.append(body.stream, at: offset, to: query)
        case (.POST, "commit"):
            let options = try await options(for: path, request)
            let file = try await uploads.commit(query, options)
            return HTTPResponse(statusCode: .created, headers: HTTPHeaders(version: file.version))
        case (.DELETE, "upload"): try await uploads.abort(query)
        case (.DELETE, nil): try await files.run(.remove(path), options: options(for: path, request))
        default: return HTTPResponse(statusCode: .methodNotAllowed)
        }
        return HTTPResponse(statusCode: .noContent)
    }

    private func target(_ query: HTTPRequest.QueryItem?) throws -> ItemPath {
        try ItemPath(percentEncoded: query?.value ?? "")
    }

    /// Returns the items whose names come after `token`, in byte order, which stays correct while others add and remove
    /// items.
    private func page(of path: ItemPath, after token: String) async throws -> ShelfPage {
        let last = try ItemPath(percentEncoded: token).lastComponent
        var following: [FileObject] = []
        for try await file in files.listing(path: path).entries where last.map({ $0 < file.itemName }) ?? true {
            following.append(file)
        }
        following.sort { $0.itemName < $1.itemName }
        let items = following.prefix(pageSize)
        let next = following.count > pageSize ? items.last.map { ItemPath.root.appending($0.itemName) } : nil
        return ShelfPage(items: try items.map(ShelfItem.init), next: next?.percentEncoded)
    }

    private func read(_ path: ItemPath, _ request: HTTPRequest) async throws -> HTTPResponse {
        let range = request.headers[.range].flatMap(ByteRange.init(header:))
        let contents = try await files.read(path: path, range: range ?? .all)
        var headers = HTTPHeaders(version: contents.head.version)
        headers[.acceptRanges] = "bytes"
        headers[.contentType] = contents.head.contentType ?? "application/octet-stream"
        guard range != nil, let size = contents.head.totalSize, let length = contents.head.length else {
            return HTTPResponse(statusCode: .ok, headers: headers, body: HTTPBodySequence(contents.bytes))
        }
        guard length > 0 else {
            headers[.contentRange] = "bytes */\(size)"
            return HTTPResponse(statusCode: .rangeNotSatisfiable, headers: headers)
        }
        headers[.contentRange] = "bytes \(contents.head.offset)-\(contents.head.offset + length - 1)/\(size)"
        return HTTPResponse(statusCode: .partialContent, headers: headers, body: HTTPBodySequence(contents.bytes))
    }

    private func write(_ path: ItemPath, _ request: HTTPRequest, _ body: RequestBody) async throws -> HTTPResponse {
        let file = try await files.write(path: path, from: body.stream, options: options(for: path, request))
        return HTTPResponse(statusCode: .created, headers: HTTPHeaders(version: file.version))
    }

    private func options(for path: ItemPath, _ request: HTTPRequest) async throws -> OperationOptions {
        var options = OperationOptions(overwrite: request.mayReplace)
        if let seconds = request.headers[.shelfModified].flatMap({ Int64($0) }) {
            options.attributes.modificationTime = FileTime(seconds: seconds)
        }
        if let tag = request.headers[.ifMatch] {
            let present = try await files.attributesOfItem(path: path).version
            guard present.tag == tag else { throw FileError.changed(path) }
            options.expecting = present
        }
        return options
    }
}

extension HTTPRequest {
    /// Whether an item at the destination may be replaced.
    fileprivate var mayReplace: Bool { headers[.ifNoneMatch] != "*" }
}

extension ByteRange {
    /// Parses one range of bytes; `nil` for anything else, which a server may ignore (RFC 9110, section 14.2).
    fileprivate init?(header: String) {
        let parts = header.split(separator: "=")
        guard parts.count == 2, parts[0] == "bytes", let dash = parts[1].firstIndex(of: "-") else { return nil }
        let (first, last) = (parts[1][..<dash], parts[1][dash...].dropFirst())
        switch (Int64(first), Int64(last)) {
        case (let first?, let last?) where first <= last && last < .max: self = .range(first..<last + 1)
        case (let first?, nil) where last.isEmpty: self = .from(first)
        case (nil, let count?) where first.isEmpty: self = .last(count)
        default: return nil
        }
    }
}
