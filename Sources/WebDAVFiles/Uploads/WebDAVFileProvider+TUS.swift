import FileProviding
import Foundation
import HTTPFiles

/// TUS 1.0.0, as OpenCloud supports it: POST to the parent, then PATCH by PATCH; the last byte completes the file.
extension WebDAVFileProvider: HTTPUploadSessions {
    /// The length required by the server's capabilities; 8 MiB before they are known.
    public var uploadPartLength: Int64 {
        guard case .tus(let length)? = server.cloud?.family.partialWrite else { return 8 << 20 }
        return length
    }

    /// `true`, as TUS specifies.
    public var uploadEndsWithLastByte: Bool { true }

    /// Returns the request for a step of TUS. An upload's address is itself a credential: no other is sent with it,
    /// wherever it leads.
    ///
    /// The other ways of sending a file in parts do not use this.
    public func uploadRequest(_ step: HTTPUploadStep, path: ItemPath, options: OperationOptions) throws -> HTTPRequest {
        switch step {
        case .begin(let length):
            return try creation(of: path, length: length, options.attributes.modificationTime)
        case .status(let session): return try tusRequest(.head, session)
        case .part(let session, let range, _):
            var request = try tusRequest(.patch, session)
            request.headers["Upload-Offset"] = String(range.lowerBound)
            request.headers["Content-Type"] = "application/offset+octet-stream"
            return request
        case .abort(let session): return try tusRequest(.delete, session)
        case .commit: throw FileError.unsupported(path, "TUS completes a file with its last byte")
        }
    }

    /// Returns the upload's address.
    public func uploadSession(response: HTTPResponse, data: Data) throws -> String {
        let here = configuration.url
        guard let text = response.headers["Location"], !text.isEmpty,
            let location = URL(string: text, relativeTo: response.url)?.absoluteURL,
            location.scheme == "https" || location.scheme == here.scheme, location.user() == nil
        else { throw urlError(here, code: .badServerResponse, reason: "no usable address for the upload") }
        return location.absoluteString
    }

    /// Returns `Upload-Offset`.
    public func uploadOffset(response: HTTPResponse, data: Data) throws -> Int64 {
        guard let offset = response.headers["Upload-Offset"].flatMap(Int64.init), offset >= 0 else {
            throw urlError(configuration.url, code: .badServerResponse, reason: "no offset of the upload")
        }
        return offset
    }

    /// `Upload-Offset`: a server may take less than it was sent.
    public func uploadOffset(afterPart response: HTTPResponse) -> Int64? {
        response.headers["Upload-Offset"].flatMap(Int64.init)
    }

    private func creation(of path: ItemPath, length: Int64?, _ time: FileTime?) throws -> HTTPRequest {
        guard let parent = path.parent, let name = path.lastComponent else {
            throw FileError.isADirectory(path, writing: true)
        }
        var metadata = ["filename \(Data(name.bytes).base64EncodedString())"]
        if let time { metadata.append("mtime \(Data(String(time.seconds).utf8).base64EncodedString())") }
        var request = HTTPRequest(.post, url(of: ItemPath(unchecked: parent.bytes)))
        request.headers["Tus-Resumable"] = "1.0.0"
        request.headers["Upload-Length"] = length.map(String.init)
        request.headers["Upload-Metadata"] = metadata.joined(separator: ",")
        request.isSafeToRepeat = false
        return request
    }

    private func tusRequest(_ method: HTTPMethod, _ address: String) throws -> HTTPRequest {
        guard let location = URL(string: address) else {
            throw urlError(configuration.url, code: .badURL, reason: "no usable address for the upload")
        }
        var request = HTTPRequest(method, location, headers: ["Tus-Resumable": "1.0.0"])
        request.sendsCredential = false
        request.hidesURL = true
        return request
    }
}
