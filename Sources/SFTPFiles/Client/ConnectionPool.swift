import FileProviding
import Foundation

/// The connections to one server as one account: one that all requests share, opened when it is first needed and anew when
/// it was lost, and further ones that help with large files.
///
/// A helper that cannot be had is no error: the server may allow no more, or would ask the person again. Idle helpers close
/// themselves.
final class ConnectionPool: Sendable {
    /// What begins the connection for all requests; the person may be asked.
    typealias Connector = @Sendable ((any SSHInteraction)?) throws -> SFTPConnection
    /// What begins a connection for large files, with nobody to ask.
    typealias HelperConnector = @Sendable () throws -> SFTPConnection

    private struct Helper {
        let connection: SFTPConnection
        /// Which of the connectors made it.
        let means: Int
    }

    private struct State {
        var shared: SFTPConnection?
        var idle: [Helper] = []
        var lent: [Helper] = []
        /// Which of the connectors makes helpers now: those before it failed.
        var means = 0
        /// Small files under way, and how many have begun in a crowd.
        var files = (underWay: 0, crowded: 0)
        /// Until when no further helper is tried.
        var rest: ContinuousClock.Instant?
        var interaction: (any SSHInteraction)?
    }

    /// How many connections there may be, also while a large file is under way.
    static let most = 6
    /// On a shorter way more than four are no faster.
    private static let mostNearby = 4
    /// A transfer of fewer bytes is over before a second connection is up.
    private static let worthHelp: Int64 = 32 << 20
    /// So many small files under way at once are a crowd, and so many that began in one are worth a second connection.
    private static let crowd = (underWay: 4, files: 12)
    /// How long no further helper is tried after the server refused one.
    private static let restAfterRefusal = Duration.seconds(60)

    let roots = ResolvedRoots()
    let knowledge = ServerKnowledge()
    private let state = Locked(State())
    private let width: Int?
    private let helpers: [HelperConnector]
    private let connect: Connector

    /// - Parameters:
    ///   - width: how many connections carry a large file, or `nil` to choose by distance and processors.
    ///   - helpers: ways to make helpers, best first; one that fails is not tried again.
    init(width: Int? = nil, helpers: [HelperConnector] = [], connect: @escaping Connector) {
        self.width = width
        self.helpers = helpers
        self.connect = connect
    }

    var interaction: (any SSHInteraction)? {
        get { state.withLock { $0.interaction } }
        set { state.withLock { $0.interaction = newValue } }
    }

    /// How many connections are open or being opened.
    var count: Int {
        state.withLock { state in
            ((state.shared.map { [$0] } ?? []) + (state.idle + state.lent).map(\.connection)).count { $0.ending == nil }
        }
    }

    /// The connection that all share, or a new one where it has ended.
    func connection() throws -> SFTPConnection {
        try state.withLock { state in
            if let connection = state.shared, connection.ending == nil { return connection }
            let connection = try connect(state.interaction)
            state.shared = connection
            return connection
        }
    }

    /// How many connections are to carry a transfer of so many bytes.
    func width(for count: Int64, _ traits: ServerTraits) -> Int {
        guard count >= Self.worthHelp, traits.isFileSystem else { return 1 }
        if let width { return min(max(width, 1), Self.most) }
        switch traits.distance {
        case .nearby: return min(Self.mostNearby, max(1, ProcessInfo.processInfo.activeProcessorCount / 2))
        case .away: return Self.mostNearby
        case .farAway: return Self.most
        }
    }

    /// A small file begins. In a crowd every second one is given a helper, which may have other work too: a server's
    /// process does one connection's requests one after the other.
    ///
    /// - Returns: `nil` for the connection that all share.
    func beginFile(_ traits: ServerTraits) -> (connection: SFTPConnection, traits: ServerTraits)? {
        state.withLock { state in
            state.files.underWay += 1
            guard traits.isFileSystem, width ?? 2 > 1, ProcessInfo.processInfo.activeProcessorCount > 1,
                state.files.underWay >= Self.crowd.underWay
            else { return nil }
            state.files.crowded += 1
            guard state.files.crowded >= Self.crowd.files, state.files.crowded.isMultiple(of: 2) else { return nil }
            sweep(&state)
            guard let helper = state.idle.first ?? state.lent.first else {
                if let helper = begin(&state, upTo: 1) { state.idle.append(helper) }
                return nil
            }
            guard let traits = helper.connection.readyTraits else { return nil }
            helper.connection.mailbox.beginUse()
            return (helper.connection, traits)
        }
    }

    /// A small file has ended.
    ///
    /// - Parameter helper: what it was given.
    func endFile(on helper: SFTPConnection?) {
        helper?.mailbox.endUse()
        state.withLock { $0.files.underWay -= 1 }
    }

    /// Begins to connect the helpers of a transfer of so many bytes, which is about to begin.
    func prepare(for count: Int64, _ traits: ServerTraits) {
        let wanted = width(for: count, traits) - 1
        state.withLock { state in
            sweep(&state)
            while let helper = begin(&state, upTo: wanted) {
                state.idle.append(helper)
            }
        }
    }

    /// Does something with a helper; not at all where none can be had.
    ///
    /// - Parameter limit: how many there may be, all transfers' together.
    func withHelper(upTo limit: Int, _ work: (SFTPConnection, ServerTraits) async throws -> Void) async {
        while let helper = lend(upTo: limit) {
            let traits: ServerTraits
            do {
                traits = try await helper.connection.traits()
            } catch {
                putBack(helper)
                if error.isCancellation { return }
                continue
            }
            try? await work(helper.connection, traits)
            return putBack(helper)
        }
    }

    /// Drops the idle helpers that have ended. What could not be had by one means may be had by the next; who would
    /// have to ask the person again is not bothered again; who was refused for other reasons may have room later.
    private func sweep(_ state: inout State) {
        for helper in state.idle where !helper.connection.wasLost {
            guard let error = helper.connection.ending else { continue }
            let isFinal = (error as? URLError)?.code == .userAuthenticationRequired
            if helper.means + 1 < helpers.count {
                state.means = max(state.means, helper.means + 1)
            } else {
                state.rest = .now + (isFinal ? .seconds(86_400) : Self.restAfterRefusal)
            }
        }
        state.idle.removeAll { $0.connection.ending != nil }
    }

    private func lend(upTo limit: Int) -> Helper? {
        state.withLock { state in
            sweep(&state)
            let idle = state.idle.isEmpty ? nil : state.idle.removeFirst()
            guard let helper = idle ?? begin(&state, upTo: limit) else { return nil }
            state.lent.append(helper)
            helper.connection.mailbox.beginUse()
            return helper
        }
    }

    private func putBack(_ helper: Helper) {
        helper.connection.mailbox.endUse()
        state.withLock { state in
            state.lent.removeAll { $0.connection === helper.connection }
            state.idle.append(helper)
            sweep(&state)
        }
    }

    private func begin(_ state: inout State, upTo limit: Int) -> Helper? {
        guard state.means < helpers.count, state.idle.count + state.lent.count < limit,
            state.rest.map({ $0 < .now }) ?? true, let connection = try? helpers[state.means]()
        else { return nil }
        return Helper(connection: connection, means: state.means)
    }
}
