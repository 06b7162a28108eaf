import FileProviding
import Foundation
import HTTPFiles

/// Every request that the provider sends is built here.
extension WebDAVFileProvider {
    /// The plain requests of RFC 4918; writing and the rest of `perform` add what a server family needs.
    public func request(
        for operation: FileOperationType, overwrite: Bool, attributes: ItemAttributes
    ) throws -> HTTPRequest {
        switch operation {
        case .fetch(let path): HTTPRequest(.get, url(of: path))
        case .modify(let path): putRequest(path, overwrite: overwrite, attributes: attributes)
        case .create(let path): mkcolRequest(path)
        case .remove(let path): deleteRequest(path)
        case .copy(let source, let destination): transferRequest(.copy, source, destination, overwrite: overwrite)
        case .move(let source, let destination): transferRequest(.move, source, destination, overwrite: overwrite)
        case .link: throw FileError.unsupported(operation.source, "WebDAV has no symbolic links")
        case .upload, .download: throw FileError.unsupported(operation.source, "not a request")
        }
    }

    /// The properties of one item, `Depth: 0`.
    public func attributesRequest(path: ItemPath) throws -> HTTPRequest {
        propfind(path, depth: "0", DAVRequestBody.propfind(PropertySet.attributes))
    }

    /// The properties of a collection's members, `Depth: 1`. WebDAV has no further pages.
    public func pageRequest(path: ItemPath, token: String?) throws -> HTTPRequest {
        propfind(path.asDirectory, depth: "1", DAVRequestBody.propfind(PropertySet.listing))
    }

    func quotaRequest(path: ItemPath) -> HTTPRequest {
        propfind(path, depth: "0", DAVRequestBody.propfind(PropertySet.quota))
    }

    func optionsRequest(path: ItemPath) -> HTTPRequest { HTTPRequest(.options, url(of: path)) }

    func lockRequest(path: ItemPath) -> HTTPRequest {
        var request = HTTPRequest(
            .lock, url(of: path), body: .bytes(DAVRequestBody.lockInfo(owner: "swift-file-providers")))
        request.headers["Content-Type"] = "application/xml; charset=utf-8"
        request.headers["Depth"] = "0"
        request.headers["Timeout"] = "Second-600"
        return request
    }

    func unlockRequest(path: ItemPath, token: String) -> HTTPRequest {
        HTTPRequest(.unlock, url(of: path), headers: ["Lock-Token": "<\(token)>"])
    }

    private func propfind(_ path: ItemPath, depth: String, _ body: Data) -> HTTPRequest {
        var request = HTTPRequest(.propfind, url(of: path), body: .bytes(body))
        request.headers["Depth"] = depth
        request.headers["Content-Type"] = "application/xml; charset=utf-8"
        return request
    }

    private func putRequest(_ path: ItemPath, overwrite: Bool, attributes: ItemAttributes) -> HTTPRequest {
        var request = HTTPRequest(.put, url(of: path))
        request.headers["Content-Type"] = attributes.contentType ?? "application/octet-stream"
        if !overwrite { request.headers["If-None-Match"] = "*" }
        if let time = attributes.modificationTime { request.headers["X-OC-Mtime"] = String(time.seconds) }
        // A repeated conditional PUT whose first reply was lost would be refused by its own success.
        request.isSafeToRepeat = overwrite
        request.retriesWhenLocked = true
        return request
    }

    private func mkcolRequest(_ path: ItemPath) -> HTTPRequest {
        var request = HTTPRequest(.mkcol, url(of: path.asDirectory))
        request.retriesWhenLocked = true
        return request
    }

    private func deleteRequest(_ path: ItemPath) -> HTTPRequest {
        var request = HTTPRequest(.delete, url(of: path))
        request.isSafeToRepeat = false
        request.retriesWhenLocked = true
        return request
    }

    private func transferRequest(
        _ method: HTTPMethod, _ source: ItemPath, _ destination: ItemPath, overwrite: Bool
    ) -> HTTPRequest {
        var request = HTTPRequest(method, url(of: source))
        request.headers["Destination"] = url(of: destination).absoluteString
        request.headers["Overwrite"] = overwrite ? "T" : "F"
        request.isSafeToRepeat = false
        request.retriesWhenLocked = true
        return request
    }
}

/// Which properties are asked for: only those that are used.
enum PropertySet {
    static let listing: [DAVPropertyName] = [.resourceType, .contentLength, .lastModified, .etag]
    static let attributes = listing + [.contentType, .creationDate]
    static let quota: [DAVPropertyName] = [.quotaAvailable, .quotaUsed, .displayName]
}
