import FileProviding
import Foundation
import HTTPFiles

/// Interpreting replies: attributes, pages, refusals.
extension WebDAVFileProvider {
    /// Returns the item described by a `Depth: 0` multistatus. If a server sends several responses, the one with the
    /// item's own URL is used.
    public func attributes(of path: ItemPath, response: HTTPResponse, data: Data) throws -> FileObject {
        let responses: [MultistatusResponse]
        do { responses = try Multistatus.decode(data, from: response) } catch  where Multistatus.isAbsence(data) {
            throw FileError.noSuchFile(path)
        }
        let own = responses.count < 2 ? nil : responses.first { $0.isAbout(response.url) }
        guard let first = own ?? responses.first else {
            throw Multistatus.isAbsence(data)
                ? FileError.noSuchFile(path) : MultistatusFailure.noResponse.error(response.url)
        }
        if let failure = first.failure(of: path, at: response.url) { throw failure }
        try checkSame(path, first)
        return FileObject(path: path, response: first)
    }

    /// Returns a decoder that gives entries as their bytes arrive.
    public func pageDecoder(path: ItemPath) -> any HTTPPageDecoder {
        MultistatusPageDecoder(url: url(of: path.asDirectory), path: path)
    }

    /// Returns an error with the server's message from a `DAV:error` body (RFC 4918, section 16), or its plain text.
    public func serverError(with status: Int, path: String, data: Data?) -> any FileProviderHTTPError {
        WebDAVError(status: status, path: path, data: data)
    }

    /// Refuses a page that a collection sends in answer to GET, and another file with a similar name that some servers
    /// send for a missing one (Apache with MultiViews or mod_speling).
    public func confirmContents(of path: ItemPath, response: HTTPResponse) async throws {
        if response.answersForCollection(at: url(of: path)) { throw FileError.isADirectory(path) }
        if response.mayBeOfNeighbor(of: path), response.isOfNeighbor(of: url(of: path)),
            try await attributesOfItem(path: path).isDirectory
        {
            throw FileError.isADirectory(path)
        }
        guard response.looksLikeIndex else { return }
        do {
            if try await attributesOfItem(path: path).isDirectory { throw FileError.isADirectory(path) }
        } catch  where error.isNoSuchFile {}
    }

    /// Returns the error for a refusal. Servers refuse in many ways; if a status is ambiguous, the item and its parent
    /// are looked up.
    public func fileError(for response: HTTPResponse, data: Data, operation: FileOperationType) async -> any Error {
        let server = serverError(with: response.status, path: operation.source, data: data)
        // Some WebDAV servers answer 405 to anything they cannot do, such as storing on a full disk.
        let plain =
            response.status == 405
            ? server : HTTPStatusMeaning.error(for: response, operation: operation, server: server)
        if response.status == 405, response.method == .copy {
            return FileError.unsupported(operation.source, "the server has no COPY (405)")
        }
        if response.status == 425 {
            return cocoaError(
                operation.source, code: .fileReadUnknown,
                reason: "the server has not finished with this file yet; try later",
                underlying: server)
        }
        if case .fetch(let path) = operation, response.method == .get, !path.namesDirectory,
            response.answersForCollection(at: url(of: path))
        {
            return FileError.isADirectory(path)
        }
        if response.status == 405, response.method == .propfind, !operation.source.isEmpty {
            // Go's server answers so below a file.
            if case .fetch(let path) = operation, let missing = await explanation(.place(path)) { return missing }
            return FileError.unsupported(
                operation.source,
                "the server refuses PROPFIND here (405): WebDAV is off, or an index page stands for the folder")
        }
        // A gateway's reply is about the server, not the item, which may have been moved. Apache also sends 502 because
        // of a destination.
        if HTTPStatus.isReplyMissing(response.status) {
            switch operation {
            case .copy(_, let destination), .move(_, let destination):
                return await explanation(.parent(destination)) ?? plain
            default: return plain
            }
        }
        // Some servers answer "forbidden" instead of "not found" for a path below a file (lighttpd).
        let isTelling = ![401, 403, 412, 413, 423, 429, 503, 507].contains(response.status)
        guard isTelling || operation.isMove || response.status == 403 && operation.isFetch else { return plain }
        switch operation {
        case .fetch(let path) where path.namesDirectory && !path.isRoot:
            return await explanation(.directory(path)) ?? plain
        case .modify(let path): return await explanation(.newFile(path)) ?? plain
        case .create(let path): return await explanation(.parent(path)) ?? plain
        case .copy(let source, let destination), .move(let source, let destination):
            if [412, 423, 507].contains(response.status) { return plain }
            if let missing = await explanation(.source(source)) { return missing }
            return await explanation(.parent(destination)) ?? plain
        case .remove(let path): return await explanation(.source(path)) ?? plain
        case .fetch(let path):
            return [400, 403].contains(response.status) ? await explanation(.place(path)) ?? plain : plain
        case .link, .upload, .download: return plain
        }
    }

    private enum Question {
        /// Is there a directory at the path?
        case directory(ItemPath)
        /// Can there be a file at the path?
        case newFile(ItemPath)
        /// Is there a directory for the new item to be in?
        case parent(ItemPath)
        /// Is there a directory that the item could be in?
        case place(ItemPath)
        /// Does the item exist?
        case source(ItemPath)
    }

    /// Finds out from the server what is wrong; returns `nil` when nothing of the kind is, or the server cannot be
    /// asked.
    private func explanation(_ question: Question) async -> (any Error)? {
        do {
            switch question {
            case .source(let path):
                _ = try await attributesOfItem(path: path)
            case .place(let path):
                if let parent = path.parent, try await !attributesOfItem(path: parent.asItem).isDirectory {
                    return FileError.noSuchFile(path)
                }
            case .directory(let path):
                let plain = path.asItem
                guard try await attributesOfItem(path: plain).isDirectory else { return FileError.notADirectory(path) }
            case .newFile(let path):
                if let found = try? await attributesOfItem(path: path), found.isDirectory {
                    return FileError.isADirectory(path, writing: true)
                }
                return await explanation(.parent(path))
            case .parent(let path):
                guard let parent = path.parent else { return nil }
                do {
                    guard try await attributesOfItem(path: parent.asItem).isDirectory else {
                        return FileError.notADirectory(parent, writing: true)
                    }
                } catch  where error.isNoSuchFile {
                    return FileError.noSuchFile(parent, writing: true)
                }
            }
            return nil
        } catch {
            return error.isNoSuchFile || error.isNotADirectory ? error : nil
        }
    }
}

extension MultistatusResponse {
    /// Returns whether the response is about the resource at a URL, ignoring percent-encoding and a trailing slash.
    fileprivate func isAbout(_ url: URL) -> Bool {
        if case .collection = withHref(HrefResolver(collection: url).meaning) { true } else { false }
    }

    /// Returns the error for a server that answers with a status instead of describing the requested item.
    func failure(of path: ItemPath, at url: URL) -> (any Error)? {
        guard let status = status ?? refusal ?? absence, !(200..<300).contains(status) else { return nil }
        return HTTPStatusMeaning.error(
            for: HTTPResponse(status: status, url: url), operation: .fetch(path),
            server: WebDAVError(status: status, path: path.description, data: nil))
    }
}

extension HTTPResponse {
    /// Returns whether the URLs of ``isOfNeighbor(of:)`` are worth making: every small file that is read is asked this.
    fileprivate func mayBeOfNeighbor(of path: ItemPath) -> Bool {
        headers["Content-Location"] != nil || !url.absoluteString.hasSuffix("/" + path.percentEncoded)
    }

    /// Returns whether the reply is about another item in the same folder: judging by the URL that it came from, or by
    /// its `Content-Location` (RFC 9110, section 8.7).
    fileprivate func isOfNeighbor(of url: URL) -> Bool {
        let told = headers["Content-Location"].flatMap { URL(string: $0, relativeTo: self.url)?.absoluteURL }
        guard told != nil || self.url != url else { return false }
        return [self.url, told ?? self.url].contains { other in
            other.lastPathComponent != url.lastPathComponent
                && other.deletingLastPathComponent().path == url.deletingLastPathComponent().path
        }
    }

    /// Returns whether the reply to a GET shows that the item is a collection: the server redirected to its trailing
    /// slash, or does not support GET for it. Another server's addresses tell nothing.
    fileprivate func answersForCollection(at item: @autoclosure () -> URL) -> Bool {
        if status == 405 || status == 501 { return true }
        return url.path(percentEncoded: true).hasSuffix("/") && url.host() == item().host()
    }

    /// Whether the reply may be a generated page that lists a collection, or stands for it with nothing in it (ASGI
    /// WebDAV): a file would have a tag or a time. Reading a long one may have to come first, before a connection is
    /// free for asking.
    fileprivate var looksLikeIndex: Bool {
        status == 200 && (headers["ETag"] == nil && headers["Last-Modified"] == nil || contentLength == 0)
            && headers["Content-Type"]?.lowercased().hasPrefix("text/html") == true
            && contentLength ?? .max <= 1 << 20
    }
}

extension FileOperationType {
    fileprivate var isFetch: Bool { if case .fetch = self { true } else { false } }
    fileprivate var isMove: Bool { if case .move = self { true } else { false } }
}
