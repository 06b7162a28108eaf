import FileProviding
import Foundation

/// The connection to one server as one account, shared by a provider and its copies; opened when it is first needed, and
/// anew when it was lost.
public final class SFTPSession: Sendable {
    private let link: ServerLink
    private let counter = RequestCounter()

    /// Who asks the person at first contact and for passphrases; `nil` refuses. Set it before the first operation.
    public var interaction: (any SSHInteraction)? {
        get { link.interaction }
        set { link.interaction = newValue }
    }

    /// How many SFTP requests were sent so far.
    public var requestCount: Int { counter.value }

    init(_ link: ServerLink) { self.link = link }

    /// A session of its own count over the same connection.
    func sharing() -> SFTPSession { SFTPSession(link) }

    /// A connection that is up.
    func client() async throws -> SFTPClient {
        let connection = try link.connection()
        return SFTPClient(connection: connection, traits: try await connection.traits(), counter: counter)
    }

    /// Whether the server has symbolic links; where that is not clear, it is asked once to make one that cannot be.
    func hasLinks(_ client: SFTPClient) async throws -> Bool {
        if client.traits.isFileSystem { return true }
        if let known = link.hasLinks { return known }
        let root = [UInt8(ascii: "/")]
        guard case .status(let status) = try await client.call(.symlink(root, target: root)) else { return true }
        let hasLinks = status.code != .unsupported
        link.hasLinks = hasLinks
        return hasLinks
    }

    /// Where the provider's root is on the server, without links; asked once.
    func resolvedRoot(_ configuration: SFTPConfiguration, _ client: SFTPClient) async throws -> [UInt8] {
        try await link.roots.path(for: configuration, client)
    }
}

/// The one connection to a server that is used at present.
final class ServerLink: Sendable {
    private struct State {
        var connection: SFTPConnection?
        var interaction: (any SSHInteraction)?
        var hasLinks: Bool?
    }

    let roots = ResolvedRoots()
    private let state = Locked(State())
    private let connect: @Sendable ((any SSHInteraction)?) throws -> SFTPConnection

    /// - Parameter connect: begins a connection.
    init(connect: @escaping @Sendable ((any SSHInteraction)?) throws -> SFTPConnection) { self.connect = connect }

    var interaction: (any SSHInteraction)? {
        get { state.withLock { $0.interaction } }
        set { state.withLock { $0.interaction = newValue } }
    }

    /// Whether the server was found to have symbolic links.
    var hasLinks: Bool? {
        get { state.withLock { $0.hasLinks } }
        set { state.withLock { $0.hasLinks = newValue } }
    }

    /// The connection, or a new one where it has ended.
    func connection() throws -> SFTPConnection {
        try state.withLock { state in
            if let connection = state.connection, connection.ending == nil { return connection }
            let connection = try connect(state.interaction)
            state.connection = connection
            return connection
        }
    }
}
