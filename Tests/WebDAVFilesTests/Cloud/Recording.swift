import FileProviderTesting
import FileProviding
import Foundation
import HTTPFiles

@testable import WebDAVFiles

/// An exchange recorded from an OpenCloud 1.0 server; see `Recordings/README.md`.
struct Recording {
    let method: String
    let target: String
    let status: Int
    let headers: [(String, String)]
    let body: Data

    static let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Recordings")

    init(_ name: String) throws {
        let data = try Data(contentsOf: Self.folder.appending(path: "\(name).http"))
        guard let cut = data.range(of: Data("=== response ===\n".utf8)) else { throw CocoaError(.fileReadCorruptFile) }
        let request = String(decoding: data[..<cut.lowerBound], as: UTF8.self).split(separator: "\n")
        let start = request[0].split(separator: " ")
        (method, target) = (String(start[0]), String(start[1]))
        let rest = data[cut.upperBound...]
        let end = rest.range(of: Data("\n\n".utf8))
        let head = String(decoding: rest[..<(end?.lowerBound ?? rest.endIndex)], as: UTF8.self)
        let lines = head.split(separator: "\n")
        status = Int(lines[0].split(separator: " ")[1]) ?? 0
        headers = lines.dropFirst().compactMap { line in
            let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            return parts.count == 2 ? (String(parts[0]), parts[1].trimmingCharacters(in: .whitespaces)) : nil
        }
        body = end.map { Data(rest[$0.upperBound...]) } ?? Data()
    }

    var response: HTTPResponse {
        var fields = HTTPHeaders()
        for (name, value) in headers { fields.add(name, value) }
        let url = URL(string: "https://cloud.example\(target)") ?? Self.folder
        return HTTPResponse(status: status, headers: fields, url: url, method: HTTPMethod(rawValue: method))
    }

    /// The same reply from a server on loopback; its lengths are those of what is here.
    func server() throws -> ScriptedResponder {
        let kept = headers.filter { !["content-length", "transfer-encoding"].contains($0.0.lowercased()) }
        let (status, body) = (status, body)
        return try ScriptedResponder { _ in .reply(status, headers: kept, data: body) }
    }

    /// A provider of the account's files whose server answers everything with this reply.
    func provider(_ server: ScriptedResponder) throws -> WebDAVFileProvider {
        let url = server.url.appending(path: "remote.php/dav/files/admin/")
        var configuration = WebDAVConfiguration(url: url)
        configuration.http.retry = .never
        return try WebDAVFileProvider(configuration: configuration, credential: nil)
    }
}
