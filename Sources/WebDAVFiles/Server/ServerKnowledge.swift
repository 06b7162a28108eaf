import FileProviding
import HTTPFiles

/// What has been found out about the server; shared by copies of a provider.
final class ServerKnowledge: Sendable {
    private let known = Locked<ServerFamily?>(nil)

    var family: ServerFamily? {
        get { known.withLock { $0 } }
        set { known.withLock { $0 = newValue } }
    }
}

extension WebDAVFileProvider {
    /// The server's family: known, or found out by one OPTIONS request for the directory that holds `path`.
    func family(near path: ItemPath) async throws -> ServerFamily {
        if let family = server.family { return family }
        let (response, data) = try await session.data(for: optionsRequest(path: path.parent ?? .root))
        if response.status == 401 { throw await fileError(for: response, data: data, operation: .fetch(path)) }
        guard response.isSuccess, response.headers["DAV"] != nil else { return .unknown }
        let family = ServerFamily(optionsReply: response)
        server.family = family
        return family
    }
}
