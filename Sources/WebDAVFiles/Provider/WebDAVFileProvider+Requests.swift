import FileProviding
import Foundation
import HTTPFiles

/// The requests of RFC 4918; those of the clouds are built where they are sent.
extension WebDAVFileProvider {
    /// Returns the plain requests of RFC 4918; writing and the rest of `perform` add what a server family needs.
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

    /// Returns the request for the properties of one item, `Depth: 0`.
    public func attributesRequest(path: ItemPath) throws -> HTTPRequest {
        propfind(
            try byPath(path), depth: "0",
            DAVRequestBody.propfind(PropertySet.attributes(server.knowsCloudProperties)))
    }

    /// Returns the path unless it is an identifier, which must not be mistaken for a name.
    fileprivate func byPath(_ path: ItemPath) throws -> ItemPath {
        guard !path.isIdentifier else { throw FileError.unsupported(path, "items are found by path here") }
        return path
    }

    /// Returns the request for the properties of a collection's members, `Depth: 1`; a `token` is the URL of a further
    /// page.
    public func pageRequest(path: ItemPath, token: String?) throws -> HTTPRequest {
        let first = url(of: try byPath(path).asDirectory)
        return propfind(
            token.flatMap(URL.init(string:)) ?? first, depth: "1",
            DAVRequestBody.propfind(PropertySet.listing(server.knowsCloudProperties)))
    }

    func quotaRequest(path: ItemPath) -> HTTPRequest {
        propfind(path, depth: "0", DAVRequestBody.propfind(PropertySet.quota))
    }

    /// Returns the request for a cloud's identifiers of an item.
    func identityRequest(path: ItemPath) -> HTTPRequest {
        propfind(path, depth: "0", DAVRequestBody.propfind([.resourceType, .etag, .lastModified, .id, .fileID]))
    }

    /// Returns the request for the members of a collection that is not among the files: a trash, versions, an upload's
    /// parts.
    func listRequest(_ collection: URL, _ body: Data) -> HTTPRequest { propfind(collection, depth: "1", body) }

    /// Returns the request for a resource by its identifier.
    func metaRequest(_ url: URL, _ body: Data) -> HTTPRequest { propfind(url, depth: "0", body) }

    /// Returns the request that sets an item's properties.
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

    /// The lifetime of a lock that is not refreshed, in seconds.
    static let lockTimeout: Int64 = 600

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
        // A repeated conditional PUT whose first reply was lost would be refused because of its own success.
        request.isSafeToRepeat = overwrite
        request.retriesWhenLocked = true
        return request
    }

    /// Returns a modification time as servers accept it; `nil` for a time that would make this server refuse the file.
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
        // This is also the default without the header (RFC 4918, section 9.8.3), but not every server knows that.
        request.headers["Depth"] = "infinity"
        acceptNothing(&request)
        request.isSafeToRepeat = false
        request.retriesWhenLocked = true
        return request
    }

    /// Prevents a request for a missing name from being applied to another file: the server then answers 406 (RFC 9110,
    /// section 12.5.1).
    private func acceptNothing(_ request: inout HTTPRequest) {
        if server.family?.negotiates == true { request.headers["Accept"] = "*/*;q=0" }
    }
}

extension WebDAVFileProvider {
    /// Returns the URL of an item that may be removed, moved or replaced.
    ///
    /// - Throws: for the root, and for what may be the root of an account's files: some servers destroy those with all
    ///   that is in them. This is the one place that makes such URLs, so that no request for a root can be built.
    func urlOfMember(_ path: ItemPath) throws -> URL {
        let url = url(of: try byPath(path))
        guard !path.isRoot, !(CloudAddress.mayBeHome(url) && (server.cloud != nil || !isPlain(url))) else {
            throw rootIsKept(path)
        }
        return url
    }

    /// Returns whether the server is known not to be a cloud.
    private func isPlain(_ url: URL) -> Bool {
        CloudAddress(url) == nil && [.modDAV, .nginx, .wsgiDAV, .rclone, .goWebDAV].contains(server.family)
    }
}

/// The properties to request: only those that are used.
enum PropertySet {
    /// Returns the properties requested for every entry of a listing.
    static func listing(_ isCloud: Bool) -> [DAVPropertyName] {
        let plain: [DAVPropertyName] = [.resourceType, .contentLength, .lastModified, .etag]
        return isCloud ? plain + [.id, .permissions, .size, .favorite, .checksums, .shareTypes] : plain
    }

    /// Returns the properties requested for a single item.
    static func attributes(_ isCloud: Bool) -> [DAVPropertyName] {
        listing(isCloud) + [.contentType, .creationDate] + (isCloud ? [.ownerID, .ownerDisplayName] : [])
    }

    static let quota: [DAVPropertyName] = [.quotaAvailable, .quotaUsed, .displayName]
}
