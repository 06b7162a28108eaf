import FileProviding
import Foundation
import HTTPFiles

/// The Open Collaboration Services, where clouds offer what WebDAV lacks: capabilities, accounts, shares.
extension WebDAVFileProvider {
    /// Returns a request for JSON; `form` is a body, sent as a form.
    func ocsRequest(
        _ method: HTTPMethod, _ installation: URL, _ resource: String, query: [(String, String)] = [],
        form: [(String, String)]? = nil
    ) -> HTTPRequest {
        let fields = Self.encoded([("format", "json")] + query)
        let url = URL(string: "\(installation.absoluteString)ocs/v2.php/\(resource)?\(fields)") ?? installation
        var request = HTTPRequest(method, url)
        request.headers["OCS-APIRequest"] = "true"
        request.headers["Accept"] = "application/json"
        if let form {
            request.headers["Content-Type"] = "application/x-www-form-urlencoded"
            request.body = .bytes(Data(Self.encoded(form).utf8))
        }
        request.isSafeToRepeat = method != .post && method != .delete
        return request
    }

    /// Sends a request and decodes the reply's `data`.
    ///
    /// - Throws: ``WebDAVError`` with the server's message; `URLError(.userAuthenticationRequired)`.
    func ocs<Reply: Decodable>(
        _ request: HTTPRequest, about path: ItemPath = .root, as type: Reply.Type
    ) async throws -> Reply {
        let (response, data) = try await session.data(for: request)
        let meta = try? JSONDecoder().decode(OCSReply<OCSNothing>.self, from: data).ocs.meta
        guard response.isSuccess, let meta, meta.isSuccess else {
            let told = meta.flatMap { (400..<600).contains($0.statuscode) ? $0.statuscode : nil }
            let status = response.isSuccess ? told ?? 400 : response.status
            let error = WebDAVError(status: status, path: path.description, words: meta?.message)
            if status == 401 { throw urlError(response.url, code: .userAuthenticationRequired, underlying: error) }
            if response.isSuccess, meta == nil {
                throw urlError(response.url, code: .cannotParseResponse, reason: "not an OCS reply")
            }
            throw error
        }
        do {
            return try JSONDecoder().decode(OCSReply<Reply>.self, from: data).ocs.data
        } catch {
            throw urlError(response.url, code: .cannotParseResponse, reason: "an OCS reply of another shape")
        }
    }

    /// Encodes names and values as `application/x-www-form-urlencoded`, with `%20` for spaces.
    private static func encoded(_ fields: [(String, String)]) -> String {
        fields.map { "\($0)=\(ItemPath.encodedSegment($1).replacingOccurrences(of: "/", with: "%2F"))" }
            .joined(separator: "&")
    }
}
