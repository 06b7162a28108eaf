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
        case .fetch(let path): HTTPRequest(.get, url(of: try byPath(path)))
        case .modify(let path): putRequest(try byPath(path), overwrite: overwrite, attributes: attributes)
        case .create(let path): mkcolRequest(try byPath(path))
        case .remove(let path): try deleteRequest(path)
        case .copy(let source, let destination): try transferRequest(.copy, source, destination, overwrite: overwrite)
        case .move(let source, let destination): try transferRequest(.move, source, destination, overwrite: overwrite)
        case .link: throw FileError.unsupported(operation.source, "WebDAV has no symbolic links")
        case .upload, .download: throw FileError.unsupported(operation.source, "not a request")
        }
    }

    /// The properties of one item, `Depth: 0`.
    public func attributesRequest(path: ItemPath) throws -> HTTPRequest {
        propfind(
            try byPath(path), depth: "0",
            DAVRequestBody.propfind(PropertySet.attributes(server.knowsCloudProperties)))
    }

    /// The path, if it is one: an identifier must not be taken for a name.
    fileprivate func byPath(_ path: ItemPath) throws -> ItemPath {
        guard !path.isIdentifier else { throw FileError.unsupported(path, "items are found by path here") }
        return path
    }

    /// The properties of a collection's members, `Depth: 1`; a `token` is the URL of a further page.
    public func pageRequest(path: ItemPath, token: String?) throws -> HTTPRequest {
        let first = url(of: try byPath(path).asDirectory)
        return propfind(
            token.flatMap(URL.init(string:)) ?? first, depth: "1",
            DAVRequestBody.propfind(PropertySet.listing(server.knowsCloudProperties)))
    }

    func quotaRequest(path: ItemPath) -> HTTPRequest {
        propfind(path, depth: "0", DAVRequestBody.propfind(PropertySet.quota))
    }

    /// The identifiers by which a cloud knows an item.
    func identityRequest(path: ItemPath) -> HTTPRequest {
        propfind(path, depth: "0", DAVRequestBody.propfind([.resourceType, .etag, .id, .fileID]))
    }

    /// The members of a collection that is not among the files: a trash, versions, an upload's parts.
    func listRequest(_ collection: URL, _ body: Data) -> HTTPRequest { propfind(collection, depth: "1", body) }

    /// A resource by its identifier.
    func metaRequest(_ url: URL, _ body: Data) -> HTTPRequest { propfind(url, depth: "0", body) }

    /// Gives an item's properties other values.
    func setRequest(path: ItemPath, _ values: [(name: XMLName, value: String)]) throws -> HTTPRequest {
        var request = HTTPRequest(
            .proppatch, url(of: try byPath(path)), body: .bytes(DAVRequestBody.proppatch(set: values)))
        request.headers["Content-Type"] = "application/xml; charset=utf-8"
        request.retriesWhenLocked = true
        return request
    }

    func optionsRequest(path: ItemPath) -> HTTPRequest { HTTPRequest(.options, url(of: path)) }

    func lockRequest(path: ItemPath) -> HTTPRequest {
        var request = HTTPRequest(
            .lock, url(of: path), body: .bytes(DAVRequestBody.lockInfo(owner: "swift-file-providers")))
        request.headers["Content-Type"] = "application/xml; charset=utf-8"
        request.headers["Depth"] = "0"
        request.headers["Timeout"] = "Second-\(Self.lockTimeout)"
        return request
    }

    /// How long a lock lasts that nobody refreshes, in seconds.
    static let lockTimeout = 600

    func refreshRequest(path: ItemPath, token: String) -> HTTPRequest {
        HTTPRequest(
            .lock, url(of: path), headers: ["If": "(<\(token)>)", "Timeout": "Second-\(Self.lockTimeout)"])
    }

    func unlockRequest(path: ItemPath, token: String) -> HTTPRequest {
        HTTPRequest(.unlock, url(of: path), headers: ["Lock-Token": "<\(token)>"])
    }

    private func propfind(_ path: ItemPath, depth: String, _ body: Data) -> HTTPRequest {
        propfind(url(of: path), depth: depth, body)
    }

    private func propfind(_ url: URL, depth: String, _ body: Data) -> HTTPRequest {
        var request = HTTPRequest(.propfind, url, body: .bytes(body))
        request.headers["Depth"] = depth
        request.headers["Content-Type"] = "application/xml; charset=utf-8"
        return request
    }

    private func putRequest(_ path: ItemPath, overwrite: Bool, attributes: ItemAttributes) -> HTTPRequest {
        var request = HTTPRequest(.put, url(of: path))
        request.headers["Content-Type"] = attributes.contentType ?? "application/octet-stream"
        if !overwrite { request.headers["If-None-Match"] = "*" }
        request.headers["X-OC-Mtime"] = timeText(attributes.modificationTime)
        acceptNothing(&request)
        // A repeated conditional PUT whose first reply was lost would be refused by its own success.
        request.isSafeToRepeat = overwrite
        request.retriesWhenLocked = true
        return request
    }

    /// A modification time as servers take it; `nil` for one that this server would refuse the file for.
    func timeText(_ time: FileTime?) -> String? {
        guard let time else { return nil }
        if let earliest = server.cloud?.family.earliestTime, time < earliest { return nil }
        return String(time.seconds)
    }

    private func mkcolRequest(_ path: ItemPath) -> HTTPRequest {
        var request = HTTPRequest(.mkcol, url(of: path.asDirectory))
        request.retriesWhenLocked = true
        return request
    }

    private func deleteRequest(_ path: ItemPath) throws -> HTTPRequest {
        var request = HTTPRequest(.delete, try urlOfMember(path))
        acceptNothing(&request)
        request.isSafeToRepeat = false
        request.retriesWhenLocked = true
        return request
    }

    private func transferRequest(
        _ method: HTTPMethod, _ source: ItemPath, _ destination: ItemPath, overwrite: Bool
    ) throws -> HTTPRequest {
        var request = HTTPRequest(method, method == .move ? try urlOfMember(source) : url(of: try byPath(source)))
        request.headers["Destination"] = try urlOfMember(destination).absoluteString
        request.headers["Overwrite"] = overwrite ? "T" : "F"
        // What no header means as well (RFC 4918, section 9.8.3); not every server knows that.
        request.headers["Depth"] = "infinity"
        acceptNothing(&request)
        request.isSafeToRepeat = false
        request.retriesWhenLocked = true
        return request
    }

    /// Keeps what is meant for a name that is not there from being done to another file: 406 then (RFC 9110, section 12.5.1).
    private func acceptNothing(_ request: inout HTTPRequest) {
        if server.family?.negotiates == true { request.headers["Accept"] = "*/*;q=0" }
    }
}

extension WebDAVFileProvider {
    /// The URL of what may be removed, moved or replaced.
    ///
    /// - Throws: for the root, and for what may be the root of an account's files: some servers destroy those with all that
    ///   is in them. The one place that makes such URLs, so that no request for it can be built.
    func urlOfMember(_ path: ItemPath) throws -> URL {
        let url = url(of: try byPath(path))
        guard !path.isRoot, !(CloudAddress.mayBeHome(url) && (server.cloud != nil || !isPlain(url))) else {
            throw rootIsKept(path)
        }
        return url
    }

    /// Whether the server is known for something else than a cloud.
    private func isPlain(_ url: URL) -> Bool {
        CloudAddress(url) == nil && [.modDAV, .nginx, .wsgiDAV, .rclone, .goWebDAV].contains(server.family)
    }
}

/// Which properties are asked for: only those that are used.
enum PropertySet {
    /// What every entry of a listing is asked for.
    static func listing(_ isCloud: Bool) -> [DAVPropertyName] {
        let plain: [DAVPropertyName] = [.resourceType, .contentLength, .lastModified, .etag]
        return isCloud ? plain + [.id, .permissions, .size, .favorite, .checksums, .shareTypes] : plain
    }

    /// What a single item is asked for.
    static func attributes(_ isCloud: Bool) -> [DAVPropertyName] {
        listing(isCloud) + [.contentType, .creationDate] + (isCloud ? [.ownerID, .ownerDisplayName] : [])
    }

    static let quota: [DAVPropertyName] = [.quotaAvailable, .quotaUsed, .displayName]
}
