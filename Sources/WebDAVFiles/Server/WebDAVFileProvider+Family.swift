import FileProviding
import Foundation
import HTTPFiles

extension WebDAVFileProvider {
    /// Returns the server's family: known, or derived from what a cloud reports about itself, or determined by one
    /// OPTIONS request for the directory that holds `path`.
    func family(near path: ItemPath) async throws -> ServerFamily {
        if let cloud = try await cloud() { return cloud.family }
        if let family = server.family { return family }
        let folder = path.parent ?? .root
        if server.silent.contains(folder) { return .unknown }
        // The head is enough; some servers never end the body of a reply about a missing item (lighttpd).
        let (response, _) = try await session.stream(for: optionsRequest(path: folder))
        // A server that cannot answer now does not belong to an unknown family.
        if response.status == 401 || HTTPStatus.isUnavailable(response.status) {
            throw await fileError(for: response, data: Data(), operation: .fetch(path))
        }
        guard response.isSuccess, response.headers["DAV"] != nil else {
            if response.isSuccess || [405, 500, 501].contains(response.status) { server.silent.note(folder) }
            return .unknown
        }
        let family = ServerFamily(optionsReply: response)
        server.family = family
        return family
    }
}
