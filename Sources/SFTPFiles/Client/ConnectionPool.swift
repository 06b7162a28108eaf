import FileProviding
import Foundation

/// The connections to one server as one account: one that all requests share, opened when it is first needed and anew when
/// it was lost, and further ones that help with large files.
///
/// A helper that cannot be had is no error: the server may allow no more, or would ask the person again. Idle helpers close
/// themselves.
final class ConnectionPool: Sendable {
    /// What begins a connection.
    typealias Connector = @Sendable (Purpose) throws -> SFTPConnection

    /// What a connection is for.
    enum Purpose {
        /// All requests; the person may be asked.
        case everything((any SSHInteraction)?)
        /// Large files, with nobody to ask.
        case help
    }

    private struct State {
        var shared: SFTPConnection?
        var idle: [SFTPConnection] = []
        var lent: [SFTPConnection] = []
        /// Until when no further helper is tried.
        var rest: ContinuousClock.Instant?
        var interaction: (any SSHInteraction)?
        var hasLinks: Bool?
    }

    /// How many connections there may be, also while a large file is under way.
    static let most = 4
    /// A transfer of fewer bytes is over before a second connection is up.
    private static let worthHelp: Int64 = 32 << 20
    /// On a longer way the servers' windows of 2 MiB, not the line, say how fast one connection sends.
    private static let farAway = Duration.milliseconds(5)
    /// How long no further helper is tried after the server refused one.
    private static let restAfterRefusal = Duration.seconds(60)

    let roots = ResolvedRoots()
    private let state = Locked(State())
    private let width: Int?
    private let connect: Connector

    /// - Parameter width: how many connections carry a large file, or `nil` to choose by distance and processors.
    init(width: Int? = nil, connect: @escaping Connector) {
        self.width = width
        self.connect = connect
    }

    var interaction: (any SSHInteraction)? {
        get { state.withLock { $0.interaction } }
        set { state.withLock { $0.interaction = newValue } }
    }

    /// Whether the server was found to have symbolic links.
    var hasLinks: Bool? {
        get { state.withLock { $0.hasLinks } }
        set { state.withLock { $0.hasLinks = newValue } }
    }

    /// How many connections are open or being opened.
    var count: Int {
        state.withLock { state in
            ((state.shared.map { [$0] } ?? []) + state.idle + state.lent).count { $0.ending == nil }
        }
    }

    /// The connection that all share, or a new one where it has ended.
    func connection() throws -> SFTPConnection {
        try state.withLock { state in
            if let connection = state.shared, connection.ending == nil { return connection }
            let connection = try connect(.everything(state.interaction))
            state.shared = connection
            return connection
        }
    }

    /// How many connections are to carry a transfer of so many bytes.
    func width(for count: Int64, _ traits: ServerTraits) -> Int {
        guard count >= Self.worthHelp, traits.isFileSystem else { return 1 }
        if let width { return min(max(width, 1), Self.most) }
        return traits.roundTrip > Self.farAway
            ? Self.most : min(Self.most, max(1, ProcessInfo.processInfo.activeProcessorCount / 2))
    }

    /// Does something with a helper; not at all where none can be had.
    func withHelper(_ work: (SFTPConnection, ServerTraits) async throws -> Void) async {
        guard let helper = lend() else { return }
        do {
            let traits = try await helper.traits()
            try? await work(helper, traits)
        } catch {
            if !error.isCancellation { rest(after: error) }
        }
        state.withLock { state in
            state.lent.removeAll { $0 === helper }
            if helper.ending == nil { state.idle.append(helper) }
        }
    }

    /// Who would have to ask the person again is not bothered again; who was refused for other reasons may have room later.
    private func rest(after error: any Error) {
        let isFinal = (error as? URLError)?.code == .userAuthenticationRequired
        state.withLock { $0.rest = .now + (isFinal ? .seconds(86_400) : Self.restAfterRefusal) }
    }

    private func lend() -> SFTPConnection? {
        state.withLock { state in
            state.idle.removeAll { $0.ending != nil }
            if let helper = state.idle.popLast() {
                state.lent.append(helper)
                return helper
            }
            guard state.lent.count < Self.most - 1, state.rest.map({ $0 < .now }) ?? true else { return nil }
            guard let helper = try? connect(.help) else { return nil }
            state.lent.append(helper)
            return helper
        }
    }
}
