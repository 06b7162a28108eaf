import FileProviding
import Foundation
import HTTPFiles

/// The requests of TUS 1.0.0.
extension WebDAVFileProvider {
    /// A request to an upload's address, which stands for a credential itself: none goes along, wherever it leads.
    func tusRequest(_ method: HTTPMethod, _ location: URL) -> HTTPRequest {
        var request = HTTPRequest(method, location, headers: ["Tus-Resumable": "1.0.0"])
        request.sendsCredential = false
        request.hidesURL = true
        return request
    }

    /// Sends a request to an upload's address; no error shows it.
    func sendTUS(
        _ request: HTTPRequest, progress: (@Sendable (Int64) -> Void)? = nil
    ) async throws -> (HTTPResponse, Data) {
        do {
            return try await session.data(for: request, progress: progress)
        } catch let error as URLError {
            throw urlError(configuration.url, code: error.code, reason: "at the address of an upload")
        }
    }

    /// Announces a file to its parent.
    ///
    /// - Returns: the upload's address.
    func createTUSUpload(_ path: ItemPath, length: Int64, in context: OperationContext) async throws -> URL {
        guard let parent = path.parent, let name = path.lastComponent else {
            throw FileError.isADirectory(path, writing: true)
        }
        var metadata = ["filename \(Data(name.bytes).base64EncodedString())"]
        if let time = context.options.attributes.modificationTime {
            metadata.append("mtime \(Data(String(time.seconds).utf8).base64EncodedString())")
        }
        var request = HTTPRequest(.post, url(of: ItemPath(unchecked: parent.bytes)))
        request.headers["Tus-Resumable"] = "1.0.0"
        request.headers["Upload-Length"] = String(length)
        request.headers["Upload-Metadata"] = metadata.joined(separator: ",")
        request.isSafeToRepeat = false
        request.expect(context.options.expecting)
        let creation = request
        let (response, _) = try await withParents(of: path, in: context) {
            try await send(creation, for: .create(path))
        }
        return try address(in: response)
    }

    /// How many bytes the server holds, or `nil` when it has forgotten the upload.
    func offset(ofTUSUpload location: URL) async throws -> Int64? {
        let (response, data) = try await sendTUS(tusRequest(.head, location))
        if [403, 404, 410].contains(response.status) { return nil }
        guard response.isSuccess, let offset = response.headers["Upload-Offset"].flatMap(Int64.init) else {
            throw tusError(response, data, .root)
        }
        return offset
    }

    /// A refusal, without the address that was asked.
    func tusError(_ response: HTTPResponse, _ data: Data, _ path: ItemPath) -> any Error {
        switch response.status {
        case 412: FileError.changed(path)
        case 413, 507: cocoaError(path, code: .fileWriteOutOfSpace)
        default: WebDAVError(status: response.status, path: path.description, data: data)
        }
    }

    private func address(in response: HTTPResponse) throws -> URL {
        let here = configuration.url
        guard let text = response.headers["Location"], !text.isEmpty,
            let location = URL(string: text, relativeTo: response.url)?.absoluteURL,
            location.scheme == "https" || location.scheme == here.scheme, location.user() == nil
        else { throw urlError(here, code: .badServerResponse, reason: "no usable address for the upload") }
        return location
    }
}
