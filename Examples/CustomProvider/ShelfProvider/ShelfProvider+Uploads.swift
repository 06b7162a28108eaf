import FileProviding
import Foundation
import HTTPFiles

/// Uploads that continue after an interruption: what the steps of a Shelf's upload sessions look like.
extension ShelfProvider: HTTPUploadSessions {
    /// Returns the request for each step; the base adds a part's bytes.
    public func uploadRequest(_ step: HTTPUploadStep, path: ItemPath, options: OperationOptions) -> HTTPRequest {
        switch step {
        case .begin(let length):
            var headers = HTTPHeaders()
            headers["Shelf-Length"] = length.map { "\($0)" }
            return HTTPRequest(.post, url(path, "upload"), headers: headers)
        case .status(let session): return HTTPRequest(.get, url(path, "upload", session))
        case .part(let session, let range, _):
            return HTTPRequest(.patch, url(path, "upload", session), headers: ["Shelf-Offset": "\(range.lowerBound)"])
        case .commit(let session):
            let headers = headers(overwrite: options.overwrite, options.attributes)
            return HTTPRequest(.post, url(path, "commit", session), headers: headers)
        case .abort(let session): return HTTPRequest(.delete, url(path, "upload", session))
        }
    }

    /// Reads `{"upload": "7a"}`.
    public func uploadSession(response: HTTPResponse, data: Data) throws -> String {
        try JSONDecoder().decode([String: String].self, from: data)["upload"] ?? ""
    }

    /// Reads `{"received": 1024}`.
    public func uploadOffset(response: HTTPResponse, data: Data) throws -> Int64 {
        try JSONDecoder().decode([String: Int64].self, from: data)["received"] ?? 0
    }
}
