import FileProviding
import Foundation
import HTTPFiles

extension GalleryFileProvider {
    /// Returns the request for an image.
    ///
    /// - Throws: `CocoaError(.featureUnsupported)` for anything that would change the gallery.
    public func request(
        for operation: FileOperationType, overwrite: Bool, attributes: ItemAttributes
    ) throws -> HTTPRequest {
        guard case .fetch(let path) = operation else { throw readOnly(operation.source) }
        return HTTPRequest(.get, try address.file(path))
    }

    /// Returns the request for an image's first byte, whose head describes the whole image: the API does not guarantee
    /// HEAD.
    public func attributesRequest(path: ItemPath) throws -> HTTPRequest {
        var request = HTTPRequest(.get, try address.file(path))
        request.headers["Range"] = "bytes=0-0"
        return request
    }

    /// Returns the size, time, tag and media type of an image, from the head of the reply to a request for its first
    /// byte.
    public func attributes(of path: ItemPath, response: HTTPResponse, data: Data) throws -> FileObject {
        // An empty image has no first byte, and not every server reports its size then.
        let empty = response.status == 416 ? FileVersion(size: 0) : nil
        let head = try FileContents.Head(response, range: .range(0..<1), path: path, expecting: empty)
        var file = FileObject(path: path, type: .regular)
        file.size = head.totalSize
        file.modificationTime = head.version.modificationTime
        file.etag = head.version.etag
        file.contentType = head.contentType
        return file
    }

    /// Returns the request for a category's list; a `token` is the URL of a further page.
    public func pageRequest(path: ItemPath, token: String?) throws -> HTTPRequest {
        let first = try address.list(path)
        let page = token.flatMap(URL.init(string:)) ?? first
        return HTTPRequest(.get, page, headers: ["Accept": "application/json"])
    }

    /// Returns a decoder for the images of a category's list, each with its whole path.
    public func pageDecoder(path: ItemPath) -> any HTTPPageDecoder { GalleryPageDecoder() }

    /// Returns the server's refusal.
    public func serverError(with status: Int, path: String, data: Data?) -> any FileProviderHTTPError {
        GalleryError(status: status, path: path, data: data)
    }

    /// Refuses to write.
    public func write(path: ItemPath, from source: ByteStream, in context: OperationContext) async throws -> FileObject
    {
        throw readOnly(path)
    }

    /// Downloads by reading; refuses everything else.
    @discardableResult
    public func perform(_ operation: FileOperationType, in context: OperationContext) async throws -> FileObject? {
        guard case .download = operation else { throw readOnly(operation.source) }
        return try await defaultPerform(operation, in: context)
    }

    private func readOnly(_ path: String) -> CocoaError { FileError.unsupported(path, "a gallery is read-only") }

    private func readOnly(_ path: ItemPath) -> CocoaError { readOnly(path.description) }
}
