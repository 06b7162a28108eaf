import FileProviding
import Foundation
import HTTPFiles

extension WebDAVFileProvider: AttributeProvider {
    /// Sends a PROPPATCH (RFC 4918, section 9.2): ownCloud and Nextcloud accept a new modification time, in whole
    /// seconds.
    ///
    /// - Throws: `.featureUnsupported` for everything else, for all other servers, and for a time that Nextcloud treats
    ///   as none: one on the first day of 1970, or before.
    @discardableResult
    public func setAttributes(_ attributes: ItemAttributes, of path: ItemPath) async throws -> FileObject {
        guard attributes.permissions == nil, attributes.contentType == nil else {
            throw FileError.unsupported(path, "of an item on a WebDAV server only the time can be changed")
        }
        if let time = attributes.modificationTime {
            guard try await family(near: path).changesTimes else {
                throw FileError.unsupported(path, "this server changes no times")
            }
            guard let text = timeText(time) else { throw FileError.unsupported(path, "this server has no such time") }
            try await set(XMLName("lastmodified"), to: text, of: path)
        }
        return try await attributesOfItem(path: path)
    }

    /// Sets a property.
    func set(_ property: XMLName, to value: String, of path: ItemPath) async throws {
        // A refusal is about an existing item, as with a removal.
        let operation = FileOperationType.remove(path)
        let (response, data) = try await send(setRequest(path: path, [(property, value)]), for: operation)
        guard let reply = try Multistatus.decode(data, from: response).first else {
            throw urlError(response.url, code: .cannotParseResponse, reason: "a multistatus without any response")
        }
        guard let status = reply.failure else { return }
        throw await fileError(for: HTTPResponse(status: status, url: response.url), data: Data(), operation: operation)
    }
}
