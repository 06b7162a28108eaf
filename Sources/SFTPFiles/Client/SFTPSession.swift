import FileProviding
import Foundation

/// The connections to one server as one account, shared by a provider and its copies; opened when they are first needed, and
/// anew when they were lost.
public final class SFTPSession: Sendable {
    private let pool: ConnectionPool
    private let counter = RequestCounter()

    /// Who asks the person at first contact and for passphrases; `nil` refuses. Set it before the first operation.
    public var interaction: (any SSHInteraction)? {
        get { pool.interaction }
        set { pool.interaction = newValue }
    }

    /// How many SFTP requests were sent so far.
    public var requestCount: Int { counter.value }

    /// How many connections are open or being opened.
    public var connectionCount: Int { pool.count }

    init(_ pool: ConnectionPool) { self.pool = pool }

    /// A session of its own count over the same connections.
    func sharing() -> SFTPSession { SFTPSession(pool) }

    /// A connection that is up.
    func client() async throws -> SFTPClient {
        let connection = try pool.connection()
        return SFTPClient(connection: connection, traits: try await connection.traits(), counter: counter, pool: pool)
    }

    /// Does what is to be done for a file of its own, over a connection that has room for it.
    func withClientForFile<Value>(_ work: (SFTPClient) async throws -> Value) async throws -> Value {
        let shared = try await client()
        let helper = pool.beginFile(shared.traits)
        defer { pool.endFile(on: helper?.connection) }
        guard let helper else { return try await work(shared) }
        return try await work(
            SFTPClient(connection: helper.connection, traits: helper.traits, counter: counter, pool: pool))
    }

    /// Whether the server has symbolic links; where that is not clear, it is asked once to make one that cannot be.
    func hasLinks(_ client: SFTPClient) async throws -> Bool {
        if client.traits.isFileSystem { return true }
        if let known = pool.knowledge.hasLinks { return known }
        let root = [UInt8(ascii: "/")]
        guard case .status(let status) = try await client.call(.symlink(root, target: root)) else { return true }
        let hasLinks = status.code != .unsupported
        pool.knowledge.hasLinks = hasLinks
        return hasLinks
    }

    /// Where the provider's root is on the server, without links; asked once.
    func resolvedRoot(
        _ configuration: SFTPConfiguration, within enclosing: [ItemPath], _ client: SFTPClient
    ) async throws -> [UInt8] {
        try await pool.roots.path(for: configuration, within: enclosing, client)
    }
}
