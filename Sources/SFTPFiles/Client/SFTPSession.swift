import FileProviding
import Foundation

/// The connections to one server as one account, shared by a provider and its copies; opened on first use, and again
/// after they were lost.
public final class SFTPSession: Sendable {
    private let pool: ConnectionPool
    private let counter = RequestCounter()

    /// The object that asks the user at first contact and for passphrases; with `nil` both are refused. Set it before
    /// the first operation.
    public var interaction: (any SSHInteraction)? {
        get { pool.interaction }
        set { pool.interaction = newValue }
    }

    /// The number of SFTP requests sent so far.
    public var requestCount: Int { counter.value }

    /// The number of connections that are open or being opened.
    public var connectionCount: Int { pool.count }

    init(_ pool: ConnectionPool) { self.pool = pool }

    /// Returns a session with its own request count over the same connections.
    func sharing() -> SFTPSession { SFTPSession(pool) }

    /// Returns a client of an established connection.
    func client() async throws -> SFTPClient {
        let connection = try pool.connection()
        return SFTPClient(connection: connection, traits: try await connection.traits(), counter: counter, pool: pool)
    }

    /// Runs work on a single file, over a connection that has room for it.
    func withClientForFile<Value>(_ work: (SFTPClient) async throws -> Value) async throws -> Value {
        let shared = try await client()
        let helper = pool.beginFile(shared.traits)
        defer { pool.endFile(on: helper?.connection) }
        guard let helper else { return try await work(shared) }
        return try await work(
            SFTPClient(connection: helper.connection, traits: helper.traits, counter: counter, pool: pool))
    }

    /// Returns whether the server supports symbolic links; if that is unknown, it is determined once by a request to
    /// create a link that cannot be created.
    func hasLinks(_ client: SFTPClient) async throws -> Bool {
        if client.traits.isFileSystem { return true }
        if let known = pool.knowledge.hasLinks { return known }
        let root = [UInt8(ascii: "/")]
        guard case .status(let status) = try await client.call(.symlink(root, target: root)) else { return true }
        let hasLinks = status.code != .unsupported
        pool.knowledge.hasLinks = hasLinks
        return hasLinks
    }

    /// Returns the location of the provider's root on the server, without links; determined once.
    func resolvedRoot(
        _ configuration: SFTPConfiguration, within enclosing: [ItemPath], _ client: SFTPClient
    ) async throws -> [UInt8] {
        try await pool.roots.path(for: configuration, within: enclosing, client)
    }
}
